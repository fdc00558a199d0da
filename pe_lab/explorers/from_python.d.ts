// What pe_lab/explorers/explorer.py puts before the modules of a widget: the values that stand
// once, in Python. Each explorer gets its own limits and choices; what only one gets says so.

/** A number between two limits, both allowed; where `below` names a setting, under its value / `per`. */
export type Limit = {
  low: number;
  high: number;
  step: number; // 1, 2 for even numbers, 0 for any number between
  start: number;
  below?: string;
  per?: number;
  counts?: boolean; // it may be as large as that value / `per`
};
/** One of a few values. */
export type Choice = { values: (string | boolean)[]; start: string | boolean };
/** A few words of a vocabulary, with single spaces between them. */
export type Sentence = { vocabulary: string[]; fewest: number; most: number; start: string };
/** Letters of an alphabet, none of them to so many. */
export type Text = { alphabet: string; most: number; start: string };
type Channels = [red: number, green: number, blue: number];

export const LIMITS: Record<string, Limit>;
export const CHOICES: Record<string, Choice>;
export const SENTENCES: Record<string, Sentence>;
export const TEXTS: Record<string, Text>;
/** The colours of the values -1, 0 and 1, and how many shades lie between the ends. */
export const COLOURS: { minus: Channels; zero: Channels; plus: Channels; shades: number };

/** The names of the steps of pe_core.trace, in their order. BuildExplorer's. */
export const STEPS: string[];
type Exponent = [a: number, b: number];
/** SimilarityExplorer's schedules: pair i turns by BASE^((a i + b) / d) radians per position. */
export const SCHEDULES: Record<
  string,
  { name: string; short: string; sine: Exponent; cosine: Exponent }
>;
/** The paper's base: where it is no setting. */
export const BASE: number;
/** Order explorer: four numbers for each word, and the matrices of the layer, (4, 4) each. */
export const VOCABULARY: Record<string, number[]>;
export const MATRICES: Record<"query" | "key" | "value", number[][]>;
/** Counter explorer: the width whose hands are those of the paper. */
export const D_MODEL: number;
/** Head explorer: how many positions there are, how wide the random words, and the words that the
 * trained head reads, as numbers. */
export const LENGTH: number;
export const WIDEST: number;
export const TEXT: number[];
/** Family explorer: the largest offset, which is the position of the query; and ALiBi's heads. */
export const REACH: number;
export const HEADS: number;
/** Model explorer: the words that stand where the reader has written none. */
export const WORDS: string;
/** Model and head explorer: what the models were trained to copy, and on how long texts. */
export const BACK: number;
export const TRAINED_LENGTH: number;
/** What training made of a table, with three seeds, lowest and highest: the share of right answers
    at two lengths, and the step by which the loss of all was below 1. Clinic explorer's. */
export type Cost = { at32: [number, number]; at128: [number, number]; by: number | null };
/** Clinic explorer: the defective programs, how mistakes are called, and how far tests go. */
export const PATIENTS: {
  mistake: string;
  text: string;
  place: string;
  diagnosis: string;
  cost: Cost;
}[];
export const LABELS: Record<string, string>;
export const RIGHT_COST: Cost;
export const OFFSETS: number;
export const SHIFTS: number;
export const CUT: number;
