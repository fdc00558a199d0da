// Reads a bank of questions in GIFT, and writes what it holds as JSON.
import gift from "gift-pegjs";
import { text } from "node:stream/consumers";

process.stdout.write(JSON.stringify(gift.parse(await text(process.stdin))));
