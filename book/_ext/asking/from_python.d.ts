// What the build puts before the files: pe_lab.diagnosis.questions and asking.
export const SENTENCES: Record<string, string>;
export const TEXTS: Record<string, string>;
