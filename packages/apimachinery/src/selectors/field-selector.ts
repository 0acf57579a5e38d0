import { compareText } from '../values/compare-text.ts';

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

export type ParsedFieldSelector =
  | { readonly ok: true; readonly selector: FieldSelector }
  | { readonly ok: false; readonly message: string };

/** The translated requirement, or the error for an unknown field. */
export type FieldTranslation =
  | { readonly ok: true; readonly field: string; readonly value: string }
  | { readonly ok: false; readonly message: string };

/** A conjunction of requirements on fields, sorted by their text. */
export class FieldSelector {
  static readonly everything: FieldSelector = new FieldSelector([]);

  readonly requirements: readonly FieldRequirement[];

  constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = requirements;
  }

  get isEmpty(): boolean {
    return this.requirements.length === 0;
  }

  /** A missing field compares as the empty string. */
  matches(fields: Readonly<Record<string, string>>): boolean {
    return this.requirements.every(({ field, operator, value }) => {
      const actual = Object.hasOwn(fields, field) ? fields[field] : '';
      return (actual === value) === (operator === '=');
    });
  }

  /** Upstream's `RequiresExactMatch`: the only value that the field may have; undefined without an `=` requirement. */
  exactMatch(field: string): string | undefined {
    return this.requirements.find(
      (requirement) => requirement.field === field && requirement.operator === '=',
    )?.value;
  }

  /**
   * Upstream's `Transform`: the selector with translated requirements, or the first error. Drops requirements
   * translated to an empty field and an empty value.
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

/** Parses a `fieldSelector` parameter in one pass without backtracking. */
export function parseFieldSelector(text: string): ParsedFieldSelector {
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text).sort(compareText)) {
    if (term === '') continue;
    const parsed = parseTerm(term);
    if (parsed === undefined) {
      return { ok: false, message: `invalid selector: '${text}'; can't understand '${term}'` };
    }
    const value = unescapeValue(parsed.value);
    if (!value.ok) return { ok: false, message: `invalid field selector: ${value.message}` };
    // Upstream ignores a term with an empty field and an empty value.
    if (parsed.field === '' && value.text === '') continue;
    requirements.push({ field: parsed.field, operator: parsed.operator, value: value.text });
  }
  return { ok: true, selector: new FieldSelector(requirements) };
}

/** Escapes a value for the text of a selector. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

/** Splits at commas that are not escaped by a backslash. */
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

/** Splits at the first `!=`, `==` or `=`. */
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
