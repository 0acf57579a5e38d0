/** Anchors, tags and directives. */
import { isBlankOrBreakOrEnd, isBreakOrEnd, type Mark, type YamlCursor } from './yaml-cursor.ts';

const word = /[0-9A-Za-z_-]*/y;
const blanks = /[ \t]*/y;
const comment = /[^\n\r\u0085\u2028\u2029]*/y;
const uri = /(?:[0-9A-Za-z_;/?:@&=+$,.!~*'()[\]-]|%[0-9a-fA-F]{2})*/y;

/** Scans the name after `&` or `*`. */
export function scanAnchorName(cursor: YamlCursor): string {
  const start = cursor.mark;
  cursor.position += 1;
  const name = cursor.take(word);
  if (
    name === '' ||
    !(isBlankOrBreakOrEnd(cursor.code()) || /[?:,\]}%@`]/.test(cursor.character()))
  ) {
    throw cursor.problem('did not find expected alphabetic or numeric character', start);
  }
  return name;
}

export interface ScannedTag {
  /** Empty for a verbatim tag and for a lone `!`. */
  readonly handle: string;
  readonly suffix: string;
}

export function scanTag(cursor: YamlCursor): ScannedTag {
  const start = cursor.mark;
  const tag =
    cursor.character(1) === '<' ? verbatimTag(cursor, start) : shorthandTag(cursor, start);
  if (!isBlankOrBreakOrEnd(cursor.code())) {
    throw cursor.problem('did not find expected whitespace or line break', start);
  }
  return tag;
}

export interface ScannedDirective {
  readonly type: 'version-directive' | 'tag-directive';
  readonly handle: string;
  readonly text: string;
}

export function scanDirective(cursor: YamlCursor): ScannedDirective {
  const start = cursor.mark;
  cursor.position += 1;
  const name = cursor.take(word);
  if (name === '') throw cursor.problem('could not find expected directive name', start);
  if (!isBlankOrBreakOrEnd(cursor.code())) {
    throw cursor.problem('found unexpected non-alphabetical character', start);
  }
  const directive = directiveValue(cursor, name, start);
  cursor.take(blanks);
  if (cursor.character() === '#') cursor.take(comment);
  if (!isBreakOrEnd(cursor.code())) {
    throw cursor.problem('did not find expected comment or line break', start);
  }
  if (!cursor.atEnd) cursor.lineBreak();
  return directive;
}

function directiveValue(cursor: YamlCursor, name: string, start: Mark): ScannedDirective {
  cursor.take(blanks);
  if (name === 'YAML') {
    return { type: 'version-directive', handle: '', text: version(cursor, start) };
  }
  if (name !== 'TAG') throw cursor.problem('found unknown directive name', start);
  const handle = cursor.take(/![0-9A-Za-z_-]*!?/y);
  if (handle === '' || (handle !== '!' && !handle.endsWith('!')))
    throw cursor.problem("did not find expected '!'", start);
  if (cursor.take(blanks) === '') throw cursor.problem('did not find expected whitespace', start);
  const text = requiredUri(cursor, start);
  if (!isBlankOrBreakOrEnd(cursor.code())) {
    throw cursor.problem('did not find expected whitespace or line break', start);
  }
  return { type: 'tag-directive', handle, text };
}

function version(cursor: YamlCursor, start: Mark): string {
  const major = cursor.take(/[0-9]{1,9}/y);
  if (major === '') throw cursor.problem('did not find expected version number', start);
  if (cursor.take(/\./y) === '') {
    throw cursor.problem("did not find expected digit or '.' character", start);
  }
  const minor = cursor.take(/[0-9]{1,9}/y);
  if (minor === '') throw cursor.problem('did not find expected version number', start);
  return `${Number(major)}.${Number(minor)}`;
}

function verbatimTag(cursor: YamlCursor, start: Mark): ScannedTag {
  cursor.position += 2;
  const suffix = requiredUri(cursor, start);
  if (cursor.character() !== '>') throw cursor.problem("did not find the expected '>'", start);
  cursor.position += 1;
  return { handle: '', suffix };
}

function shorthandTag(cursor: YamlCursor, start: Mark): ScannedTag {
  const handle = cursor.take(/![0-9A-Za-z_-]*!/y);
  if (handle !== '') return { handle, suffix: requiredUri(cursor, start) };
  cursor.position += 1;
  const suffix = scanUri(cursor, start);
  return suffix === '' ? { handle: '', suffix: '!' } : { handle: '!', suffix };
}

function requiredUri(cursor: YamlCursor, start: Mark): string {
  const text = scanUri(cursor, start);
  if (text === '') throw cursor.problem('did not find expected tag URI', start);
  return text;
}

function scanUri(cursor: YamlCursor, start: Mark): string {
  const text = cursor.take(uri);
  if (cursor.character() === '%') throw cursor.problem('did not find URI escaped octet', start);
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw cursor.problem('did not find URI escaped octet', start);
  }
}
