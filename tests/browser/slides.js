// What a deck shows, slide by slide: asked in the page, which costs less than a round trip each.

/**
 * Go to a slide, with all its fragments shown, and wait for its live figures.
 * @param {number} number
 */
async function goTo(number) {
  const slides = document.querySelectorAll(".slides > section");
  const slide = /** @type {HTMLElement} */ (slides[number]);
  const { clearTimeout, setTimeout } = window;
  if (!slide.matches(".present")) {
    const reveal = /** @type {Element} */ (document.querySelector(".reveal"));
    const changed = new Promise((resolve) =>
      reveal.addEventListener("slidechanged", resolve, { once: true }),
    );
    // Late, reveal.js may write there the slide that it came from.
    const ask = () => (location.hash = `#/${number}`);
    ask();
    const again = window.setInterval(ask, 500);
    await changed;
    window.clearInterval(again);
  }
  for (const fragment of slide.querySelectorAll(".fragment")) fragment.classList.add("visible");
  const figures = [...slide.querySelectorAll(".live-figure[data-model]")];
  await Promise.all(
    figures.map(
      (figure) =>
        new Promise((resolve, reject) => {
          const late = setTimeout(() => reject(new Error(`slide ${number}: no figure`)), 20_000);
          const look = () => {
            if (!figure.matches(".is-live")) return;
            clearTimeout(late);
            watch.disconnect();
            resolve(undefined);
          };
          const watch = new MutationObserver(look);
          watch.observe(figure, { attributeFilter: ["class"] });
          look();
        }),
    ),
  );
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return slide;
}

/**
 * What is cut off, or too small to be read from the last row, on the slides that match.
 * @param {number} smallest  size of type, in pixels
 * @param {string} which
 */
async function faults(smallest, which) {
  const found = [];
  const slides = document.querySelectorAll(".slides > section");
  for (let number = 0; number < slides.length; number += 1) {
    if (!slides[number].matches(which)) continue;
    const slide = await goTo(number);
    for (const side of slide.querySelectorAll(".is-wide > *")) {
      const zoom = Number(getComputedStyle(side).zoom);
      if (zoom < 0.94) found.push(`${number + 1}: a side of the live figure is scaled to ${zoom}`);
    }
    for (const more of slide.querySelectorAll("details")) more.open = true;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const body = slide.querySelector(".body")?.getBoundingClientRect();
    for (const one of slide.querySelectorAll("*")) {
      if (one.closest("aside, svg, [aria-hidden=true], .katex > :first-child")) continue;
      const box = one.getBoundingClientRect();
      if (!box.width || !box.height) continue;
      const what = `${number + 1}: ${one.tagName.toLowerCase()}.${one.className}`;
      if (box.left < -1 || box.top < -1 || box.right > 1281 || box.bottom > 721) {
        found.push(
          `${what} leaves the slide, at ${Math.round(box.right)}, ${Math.round(box.bottom)}`,
        );
      } else if (body && one.closest(".body > *") && box.top < body.top - 2 && !one.closest("i")) {
        found.push(`${what} stands on the title`);
      }
      const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim());
      if (!own || one.closest(".live-figure, sub, sup, i")) continue;
      const size = parseFloat(getComputedStyle(one).fontSize);
      if (size < smallest - 0.01) found.push(`${what} is set in ${size} px`);
      if (one.scrollWidth > one.clientWidth + 1 && one.matches("pre, p, td")) {
        found.push(`${what} is wider than its place`);
      }
    }
  }
  return found;
}
