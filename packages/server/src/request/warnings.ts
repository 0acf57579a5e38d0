const RUNES_TOTAL_MAX = 4096;
const RUNES_EACH_MAX = 256;

/** Texts of `Warning` headers: each once, within a budget, without control characters. */
export class Warnings {
  /** Few requests have any. */
  #texts: Set<string> | undefined;

  add(text: string): void {
    // A line break in a header would be an injection; upstream drops such texts too.
    if (text === '' || /\p{Cc}/u.test(text)) return;
    this.#texts ??= new Set();
    this.#texts.add(text);
  }

  headers(): readonly [name: string, value: string][] {
    if (this.#texts === undefined) return NONE;
    const texts = [...this.#texts];
    const total = texts.reduce((sum, text) => sum + runes(text), 0);
    const fitting = total > RUNES_TOTAL_MAX ? withinBudget(texts) : texts;
    return fitting.map((text) => ['Warning', `299 - "${headerText(text)}"`]);
  }
}

const NONE: readonly [name: string, value: string][] = [];

function withinBudget(texts: readonly string[]): string[] {
  const fitting: string[] = [];
  let left = RUNES_TOTAL_MAX;
  for (const text of texts) {
    const cut = [...text].slice(0, RUNES_EACH_MAX).join('');
    left -= runes(cut);
    if (left < 0) break;
    fitting.push(cut);
  }
  return fitting;
}

function runes(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Node encodes header values as latin-1, so the UTF-8 bytes of the text are passed as latin-1 characters. */
function headerText(text: string): string {
  return Buffer.from(text.replace(/[\\"]/g, '\\$&'), 'utf8').toString('latin1');
}
