export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

export type ParsedFieldSelector =
  | { readonly ok: true; readonly selector: FieldSelector }
  | { readonly ok: false; readonly message: string };

/** The outcome of translating one requirement: its new form, or why the field is not known. */
export type FieldTranslation =
  | { readonly ok: true; readonly field: string; readonly value: string }
  | { readonly ok: false; readonly message: string };

/** Requirements on fields that must all hold, sorted by their text. */
export class FieldSelector {
  static readonly everything: FieldSelector = new FieldSelector([]);

  readonly requirements: readonly FieldRequirement[];

  constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = requirements;
  }

  get isEmpty(): boolean {
    return this.requirements.length === 0;
  }

  /** A field that the object does not have compares as the empty string. */
  matches(fields: Readonly<Record<string, string>>): boolean {
    return this.requirements.every(({ field, operator, value }) => {
      const actual = Object.hasOwn(fields, field) ? fields[field] : '';
      return (actual === value) === (operator === '=');
    });
  }

  /** The value that a field must have, if the selector pins it. */
  exactMatch(field: string): string | undefined {
    return this.requirements.find(
      (requirement) => requirement.field === field && requirement.operator === '=',
    )?.value;
  }

  /**
   * The selector in the words of another version, or the first refusal. A requirement
   * that is translated to an empty field and an empty value is dropped.
   */
  translate(translation: (field: string, value: string) => FieldTranslation): ParsedFieldSelector {
    const requirements: FieldRequirement[] = [];
    for (const { field, operator, value } of this.requirements) {
      const translated = translation(field, value);
      if (!translated.ok) return translated;
      if (translated.field === '' && translated.value === '') continue;
      requirements.push({ field: translated.field, operator, value: translated.value });
    }
    return { ok: true, selector: new FieldSelector(requirements) };
  }

  toString(): string {
    return this.requirements
      .map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`)
      .join(',');
  }
}

/** Reads the text of a `fieldSelector` parameter, in one pass without backtracking. */
export function parseFieldSelector(text: string): ParsedFieldSelector {
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text).sort(compareBytes)) {
    if (term === '') continue;
    const parsed = parseTerm(term);
    if (parsed === undefined) {
      return { ok: false, message: `invalid selector: '${text}'; can't understand '${term}'` };
    }
    const value = unescapeValue(parsed.value);
    if (!value.ok) return { ok: false, message: `invalid field selector: ${value.message}` };
    // A term with neither field nor value says nothing.
    if (parsed.field === '' && value.text === '') continue;
    requirements.push({ field: parsed.field, operator: parsed.operator, value: value.text });
  }
  return { ok: true, selector: new FieldSelector(requirements) };
}

/** A value as it stands in a selector's text. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

/** Commas separate terms unless a backslash stands before them. */
function splitTerms(text: string): string[] {
  if (text === '') return [];
  const terms: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '\\') {
      index += 1;
    } else if (character === ',') {
      terms.push(text.slice(start, index));
      start = index + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

/** The first `!=`, `==` or `=` divides the field from the value. */
function parseTerm(term: string): FieldRequirement | undefined {
  const equals = term.indexOf('=');
  if (equals === -1) return undefined;
  if (equals > 0 && term[equals - 1] === '!') {
    return { field: term.slice(0, equals - 1), operator: '!=', value: term.slice(equals + 1) };
  }
  const valueStart = term[equals + 1] === '=' ? equals + 2 : equals + 1;
  return { field: term.slice(0, equals), operator: '=', value: term.slice(valueStart) };
}

type Unescaped =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

function unescapeValue(value: string): Unescaped {
  let text = '';
  let escaped = false;
  for (const character of value) {
    const special = character === '\\' || character === ',' || character === '=';
    if (escaped && !special) {
      return { ok: false, message: `invalid escape sequence: \\${character}` };
    }
    if (!escaped && character === '\\') {
      escaped = true;
      continue;
    }
    if (!escaped && special) {
      // Upstream prints the code of the character, not the character.
      const code = character.codePointAt(0);
      return { ok: false, message: `unescaped character in value: ${code}` };
    }
    text += character;
    escaped = false;
  }
  if (escaped) return { ok: false, message: 'invalid escape sequence: \\' };
  return { ok: true, text };
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
