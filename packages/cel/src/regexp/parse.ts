/** The syntax of RE2 as Go reads it: one pass, with a stack of open groups. */
import {
  ANY,
  ANY_BUT_NEWLINE,
  type CharacterClass,
  type ClassPart,
  characterClass,
  rangePart,
} from './character-class.ts';
import { assertionNode, classNode, groupNode, joinedNode, repeatNode } from './make-node.ts';
import { perlGroup, unicodeGroup } from './named-groups.ts';
import {
  BEGIN_LINE,
  BEGIN_TEXT,
  END_LINE,
  END_TEXT,
  NO_WORD_BOUNDARY,
  type RegexpNode,
  type Repeat,
  WORD_BOUNDARY,
} from './node.ts';
import { parseClass } from './parse-class.ts';
import { parseEscape } from './parse-escape.ts';
import { DEFAULT_FLAGS, type Flags, parseGroup } from './parse-group.ts';
import { parseRepeat, withinRepeatBound } from './parse-repeat.ts';
import {
  INVALID_COUNT,
  INVALID_ESCAPE,
  MISSING_OPERAND,
  MISSING_PAREN,
  NESTED_REPEAT,
  RegexpError,
  UNEXPECTED_PAREN,
} from './regexp-error.ts';

interface Frame {
  /** The flags outside, which come back when the group ends. */
  readonly flags: Flags;
  readonly captures: boolean;
  readonly branches: RegexpNode[];
  sequence: RegexpNode[];
}

/** Throws a RegexpError. */
export function parseRegexp(pattern: string): RegexpNode {
  const parser = new Parser(pattern);
  while (parser.at < pattern.length) parser.step();
  return parser.end();
}

const ASSERTIONS: Readonly<Record<string, number>> = {
  '\\A': BEGIN_TEXT,
  '\\z': END_TEXT,
  '\\b': WORD_BOUNDARY,
  '\\B': NO_WORD_BOUNDARY,
};

class Parser {
  readonly pattern: string;
  at = 0;
  #flags: Flags = DEFAULT_FLAGS;
  #frames: Frame[] = [newFrame(DEFAULT_FLAGS, false)];
  /** Where the repetition stands that was read just before, of which a second one would be an error. */
  #lastRepeat: number | undefined;

  constructor(pattern: string) {
    this.pattern = pattern;
  }

  step(): void {
    const before = this.#lastRepeat;
    this.#lastRepeat = undefined;
    const letter = this.pattern[this.at] ?? '';
    switch (letter) {
      case '(':
        this.#open();
        break;
      case '|':
        this.#endBranch();
        this.at += 1;
        break;
      case ')':
        this.#close();
        break;
      case '^':
        this.#single(assertionNode(this.#flags.oneLine ? BEGIN_TEXT : BEGIN_LINE));
        break;
      case '$':
        this.#single(assertionNode(this.#flags.oneLine ? END_TEXT : END_LINE));
        break;
      case '.':
        this.#single(classNode(this.#flags.dotNewline ? ANY : ANY_BUT_NEWLINE));
        break;
      case '[': {
        const parsed = parseClass(this.pattern, this.at, this.#flags.fold);
        this.#push(classNode(parsed.class), parsed.end);
        break;
      }
      case '*':
        this.#repeat({ min: 0, max: Number.POSITIVE_INFINITY }, this.at + 1, before);
        break;
      case '+':
        this.#repeat({ min: 1, max: Number.POSITIVE_INFINITY }, this.at + 1, before);
        break;
      case '?':
        this.#repeat({ min: 0, max: 1 }, this.at + 1, before);
        break;
      case '{':
        this.#brace(before);
        break;
      case '\\':
        this.#backslash();
        break;
      default:
        this.#literal();
        break;
    }
  }

  end(): RegexpNode {
    if (this.#frames.length > 1) throw new RegexpError(MISSING_PAREN, this.pattern);
    return this.#alternatives(this.#frame());
  }

  #frame(): Frame {
    return this.#frames.at(-1) as Frame;
  }

  #push(node: RegexpNode, end: number): void {
    this.#frame().sequence.push(node);
    this.at = end;
  }

  #single(node: RegexpNode): void {
    this.#push(node, this.at + 1);
  }

  #literal(): void {
    const point = this.pattern.codePointAt(this.at) ?? 0;
    this.#push(classNode(this.#one(point)), this.at + (point > 0xffff ? 2 : 1));
  }

  #one(point: number): CharacterClass {
    return oneCharacter(point, this.#flags.fold);
  }

  #open(): void {
    const { flags, captures, opens, end } = parseGroup(this.pattern, this.at, this.#flags);
    if (opens) this.#frames.push(newFrame(this.#flags, captures));
    this.#flags = flags;
    this.at = end;
  }

  #endBranch(): void {
    const frame = this.#frame();
    frame.branches.push(joinedNode('concatenation', frame.sequence, this.pattern));
    frame.sequence = [];
  }

  #close(): void {
    const frame = this.#frame();
    const node = this.#alternatives(frame);
    if (this.#frames.length === 1) throw new RegexpError(UNEXPECTED_PAREN, this.pattern);
    this.#frames.pop();
    this.#flags = frame.flags;
    this.#single(frame.captures ? groupNode(node, this.pattern) : node);
  }

  #alternatives(frame: Frame): RegexpNode {
    this.#endBranch();
    return joinedNode('alternation', frame.branches, this.pattern);
  }

  #brace(before: number | undefined): void {
    const found = parseRepeat(this.pattern, this.at);
    // A brace that begins no count is a character.
    if (found === undefined) {
      this.#literal();
      return;
    }
    const { min, max, end } = found;
    const isValid = min >= 0 && min <= 1000 && (max === Number.POSITIVE_INFINITY || max <= 1000);
    if (!isValid || min > max) {
      throw new RegexpError(INVALID_COUNT, this.pattern.slice(this.at, end));
    }
    this.#repeat({ min, max }, end, before);
  }

  #repeat(counts: Omit<Repeat, 'greedy'>, operatorEnd: number, before: number | undefined): void {
    const { pattern, at } = this;
    const isLazy = pattern[operatorEnd] === '?';
    const end = operatorEnd + (isLazy ? 1 : 0);
    if (before !== undefined) throw new RegexpError(NESTED_REPEAT, pattern.slice(before, end));
    const { sequence } = this.#frame();
    const operand = sequence.pop();
    if (operand === undefined) throw new RegexpError(MISSING_OPERAND, pattern.slice(at, end));
    const repeat = { ...counts, greedy: isLazy === this.#flags.lazy };
    const node = repeatNode(operand, repeat, pattern);
    if (pattern[at] === '{' && !withinRepeatBound(node)) {
      throw new RegexpError(INVALID_COUNT, pattern.slice(at, end));
    }
    sequence.push(node);
    this.#lastRepeat = at;
    this.at = end;
  }

  #backslash(): void {
    const { pattern, at } = this;
    const two = pattern.slice(at, at + 2);
    if (two === '\\C') throw new RegexpError(INVALID_ESCAPE, two);
    if (Object.hasOwn(ASSERTIONS, two)) this.#push(assertionNode(ASSERTIONS[two] ?? 0), at + 2);
    else if (two === '\\Q') this.#quoted();
    else this.#escape();
  }

  #escape(): void {
    const { pattern, at } = this;
    const { fold } = this.#flags;
    const group = unicodeGroup(pattern, at, fold) ?? perlGroup(pattern, at, fold);
    if (group !== undefined) {
      this.#push(classNode(onlyPart(group.part)), group.end);
      return;
    }
    const { point, end } = parseEscape(pattern, at);
    this.#push(classNode(this.#one(point)), end);
  }

  #quoted(): void {
    const start = this.at + 2;
    const close = this.pattern.indexOf('\\E', start);
    const end = close < 0 ? this.pattern.length : close;
    for (const letter of this.pattern.slice(start, end)) {
      this.#push(classNode(this.#one(letter.codePointAt(0) ?? 0)), this.at);
    }
    this.at = close < 0 ? end : close + 2;
  }
}

function newFrame(flags: Flags, captures: boolean): Frame {
  return { flags, captures, branches: [], sequence: [] };
}

function onlyPart(part: ClassPart): CharacterClass {
  return characterClass([part], { negated: false });
}

function oneCharacter(point: number, fold: boolean): CharacterClass {
  if (!fold) return { contains: (candidate) => candidate === point };
  return onlyPart(rangePart(point, point, true));
}
