// Answers every question of the open page as a reader does: types, clicks, moves lines, hands in.
// Given {id: {kind, right, wrong}}, returns what has gone wrong.
async (questions) => {
  const found = [];
  const press = (button) => button.dispatchEvent(new MouseEvent("click", { bubbles: true }));

  /** When something stands there, or after ten seconds. No frame is waited for: none is looked at. */
  const filled = (output) =>
    new Promise((done) => {
      const looking = new MutationObserver(look);
      const late = setTimeout(end, 10000);
      looking.observe(output, { childList: true });
      look();
      function look() {
        if (output.textContent) end();
      }
      function end() {
        clearTimeout(late);
        looking.disconnect();
        done();
      }
    });

  const put = {
    number: (form, text) => (form.querySelector("input").value = text),
    choice: (form, n) => press(form.querySelector(`input[value="${n}"]`)),
    order(form, lines) {
      const list = form.querySelector("ol");
      lines.forEach((number, to) => {
        const line = list.querySelector(`[data-line="${number}"]`);
        while ([...list.children].indexOf(line) > to) press(line.querySelector("button"));
      });
    },
    figure: (form, [row, column]) =>
      press(form.querySelectorAll("tr")[(row ?? 0) + 1].querySelectorAll("td")[column ?? 0]),
  };
  const hand = async (form, kind, answer) => {
    const output = form.querySelector("output");
    put[kind](form, answer);
    output.textContent = ""; // a line that moves says so
    form.requestSubmit();
    await filled(output);
    return output.innerHTML;
  };

  for (const [name, { kind, right, wrong }] of Object.entries(questions)) {
    const form = document.getElementById(`ask-${name}`);
    if (!form) {
      found.push(`${name}: no form`);
      continue;
    }
    const said = [];
    for (const answer of wrong) {
      said.push(await hand(form, kind, answer));
      if (form.dataset.state !== "tried") found.push(`${name}: ${answer} is ${form.dataset.state}`);
    }
    const praise = await hand(form, kind, right);
    if (!praise.startsWith("Right")) found.push(`${name}: of ${right} it says ${praise}`);
    if (form.dataset.state !== "right") found.push(`${name}: ${right} is not right`);
    if (new Set([...said, praise]).size !== wrong.length + 1) found.push(`${name}: ${said}`);
    for (const each of said)
      if (!each || each.startsWith("Right") || each.includes("not one of the known mistakes"))
        found.push(`${name}: ${each}`);
    const box = form.closest(".question");
    const fold = document.querySelector(`[data-after="${box.id}"]`);
    if (fold && !box.querySelector("form:not([data-state=right])") && !fold.open)
      found.push(`${name}: nothing opens`);
  }
  return found;
};
