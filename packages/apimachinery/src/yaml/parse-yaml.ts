import { problemAt } from './yaml-cursor.ts';
import { YamlError } from './yaml-error.ts';
import type { YamlNode } from './yaml-node.ts';
import { YamlScanner } from './yaml-scanner.ts';
import type { Token, TokenType } from './yaml-token.ts';

/** Parses the first document; undefined for an empty stream. Throws a `YamlError` with the message of Go's library. */
export function parseYaml(source: string, depthMax: number): YamlNode | undefined {
  return new Parser(source, depthMax).document();
}

interface Properties {
  readonly anchor: string | undefined;
  readonly tag: string;
  readonly line: number | undefined;
}

class Parser {
  readonly #scanner: YamlScanner;
  readonly #anchors = new Map<string, YamlNode>();
  readonly #handles = new Map([
    ['!', '!'],
    ['!!', 'tag:yaml.org,2002:'],
  ]);

  constructor(source: string, depthMax: number) {
    this.#scanner = new YamlScanner(source, depthMax);
  }

  document(): YamlNode | undefined {
    if (this.#is('stream-end')) return undefined;
    const isExplicit = this.#is('version-directive', 'tag-directive', 'document-start');
    if (isExplicit) this.#documentStart();
    const first = this.#peek();
    const isEmpty =
      isExplicit &&
      this.#is(
        'version-directive',
        'tag-directive',
        'document-start',
        'document-end',
        'stream-end',
      );
    const root = isEmpty ? emptyNode(first.start.line) : this.#node('block');
    // The next token must be valid even after the end of the document.
    this.#peek();
    return root;
  }

  #documentStart(): void {
    let hasVersion = false;
    const seen = new Set<string>();
    for (; !this.#is('document-start'); this.#next()) {
      const { type, text, handle, start } = this.#peek();
      if (type === 'version-directive') {
        if (hasVersion) throw problemAt('found duplicate %YAML directive', start.line);
        if (text !== '1.1') throw problemAt('found incompatible YAML document', start.line);
        hasVersion = true;
      } else if (type === 'tag-directive') {
        if (seen.has(handle)) throw problemAt('found duplicate %TAG directive', start.line);
        seen.add(handle);
        this.#handles.set(handle, text);
      } else {
        throw problemAt('did not find expected <document start>', start.line);
      }
    }
    this.#next();
  }

  /** `block-or-indentless` allows a sequence at the indentation of its mapping key. */
  #node(context: 'block' | 'block-or-indentless' | 'flow'): YamlNode {
    const first = this.#peek();
    if (first.type === 'alias') return this.#alias();
    const { anchor, tag, line } = this.#properties();
    const node = this.#content(context, { anchor, tag, line });
    if (node !== undefined) return node;
    if (anchor === undefined && tag === '') {
      const problem = 'did not find expected node content';
      throw problemAt(problem, this.#peek().start.line || first.start.line);
    }
    const start = line ?? first.start.line;
    return this.#anchored(anchor, {
      kind: 'scalar',
      line: start,
      text: '',
      tag,
      implicit: tag === '',
    });
  }

  #content(
    context: 'block' | 'block-or-indentless' | 'flow',
    { anchor, tag, line }: Properties,
  ): YamlNode | undefined {
    const token = this.#peek();
    const start = line ?? token.start.line;
    switch (token.type) {
      case 'scalar': {
        this.#next();
        const implicit = tag === '' && token.isPlain;
        const { text } = token;
        return this.#anchored(anchor, { kind: 'scalar', line: start, text, tag, implicit });
      }
      case 'flow-sequence-start':
        return this.#collection('sequence', { anchor, start }, (into) => this.#flowSequence(into));
      case 'flow-mapping-start':
        return this.#collection('mapping', { anchor, start }, (into) => this.#flowMapping(into));
      case 'block-sequence-start':
        if (context === 'flow') return undefined;
        return this.#collection('sequence', { anchor, start }, (into) => this.#blockSequence(into));
      case 'block-mapping-start':
        if (context === 'flow') return undefined;
        return this.#collection('mapping', { anchor, start }, (into) => this.#blockMapping(into));
      case 'block-entry':
        if (context !== 'block-or-indentless') return undefined;
        return this.#collection('sequence', { anchor, start }, (into) => this.#entries(into));
      default:
        return undefined;
    }
  }

  /** Sets the anchor before parsing the content, which may contain an alias to it; `constructJson` detects cycles. */
  #collection(
    kind: 'sequence' | 'mapping',
    { anchor, start }: { anchor: string | undefined; start: number },
    fill: (children: YamlNode[]) => void,
  ): YamlNode {
    const node = this.#anchored(anchor, { kind, line: start, children: [] });
    if (node.kind === 'sequence' || node.kind === 'mapping') fill(node.children);
    return node;
  }

  #anchored(anchor: string | undefined, node: YamlNode): YamlNode {
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    return node;
  }

  #alias(): YamlNode {
    const { text: name, start } = this.#next();
    const target = this.#anchors.get(name);
    if (target === undefined) throw new YamlError(`yaml: unknown anchor '${name}' referenced`);
    return { kind: 'alias', line: start.line, name, target };
  }

  /** One anchor and one tag, in any order. */
  #properties(): Properties {
    let anchor: string | undefined;
    let tag: Token | undefined;
    let line: number | undefined;
    for (;;) {
      const token = this.#peek();
      if (token.type === 'anchor' && anchor === undefined) anchor = token.text;
      else if (token.type === 'tag' && tag === undefined) tag = token;
      else return { anchor, tag: tag === undefined ? '' : this.#fullTag(tag, line), line };
      line ??= token.start.line;
      this.#next();
    }
  }

  #fullTag({ handle, text, start }: Token, line: number | undefined): string {
    if (handle === '') return text;
    const prefix = this.#handles.get(handle);
    if (prefix === undefined)
      throw problemAt('found undefined tag handle', start.line || (line ?? 0));
    return prefix + text;
  }

  #blockSequence(children: YamlNode[]): void {
    const { start } = this.#next();
    while (this.#is('block-entry')) {
      const { endLine } = this.#next();
      const isEmpty = this.#is('block-entry', 'block-end');
      children.push(isEmpty ? emptyNode(endLine) : this.#node('block'));
    }
    this.#require('block-end', "did not find expected '-' indicator", start.line);
  }

  /** An indentless sequence ends at the first token that is not an entry. */
  #entries(children: YamlNode[]): void {
    while (this.#is('block-entry')) {
      const { endLine } = this.#next();
      const isEmpty = this.#is('block-entry', 'key', 'value', 'block-end');
      children.push(isEmpty ? emptyNode(endLine) : this.#node('block'));
    }
  }

  #blockMapping(children: YamlNode[]): void {
    const { start } = this.#next();
    while (this.#is('key')) {
      children.push(this.#afterIndicator());
      if (this.#is('value')) children.push(this.#afterIndicator());
      else children.push(emptyNode(this.#peek().start.line));
    }
    this.#require('block-end', 'did not find expected key', start.line);
  }

  #afterIndicator(): YamlNode {
    const { endLine } = this.#next();
    const isEmpty = this.#is('key', 'value', 'block-end');
    return isEmpty ? emptyNode(endLine) : this.#node('block-or-indentless');
  }

  #flowSequence(children: YamlNode[]): void {
    const { start } = this.#next();
    for (let first = true; !this.#is('flow-sequence-end'); first = false) {
      if (!first) {
        this.#require('flow-entry', "did not find expected ',' or ']'", start.line);
        if (this.#is('flow-sequence-end')) break;
      }
      children.push(this.#is('key') ? this.#singlePair() : this.#node('flow'));
    }
    this.#next();
  }

  /** A pair in a flow sequence is a mapping with one member. */
  #singlePair(): YamlNode {
    const { start, endLine } = this.#next();
    const ends: TokenType[] = ['flow-entry', 'flow-sequence-end'];
    const key = this.#is('value', ...ends) ? emptyNode(endLine) : this.#node('flow');
    const value = this.#flowValue(ends);
    return { kind: 'mapping', line: start.line, children: [key, value] };
  }

  #flowMapping(children: YamlNode[]): void {
    const { start } = this.#next();
    const ends: TokenType[] = ['flow-entry', 'flow-mapping-end'];
    for (let first = true; !this.#is('flow-mapping-end'); first = false) {
      if (!first) {
        this.#require('flow-entry', "did not find expected ',' or '}'", start.line);
        if (this.#is('flow-mapping-end')) break;
      }
      if (this.#is('key')) {
        const { endLine } = this.#next();
        children.push(this.#is('value', ...ends) ? emptyNode(endLine) : this.#node('flow'));
        children.push(this.#flowValue(ends));
      } else {
        children.push(this.#node('flow'), emptyNode(this.#peek().start.line));
      }
    }
    this.#next();
  }

  #flowValue(ends: readonly TokenType[]): YamlNode {
    if (!this.#is('value')) return emptyNode(this.#peek().start.line);
    const { endLine } = this.#next();
    return ends.includes(this.#peek().type) ? emptyNode(endLine) : this.#node('flow');
  }

  #require(type: TokenType, problem: string, contextLine: number): void {
    const token = this.#peek();
    if (token.type !== type) throw problemAt(problem, token.start.line || contextLine);
    this.#next();
  }

  #is(type: TokenType, ...others: TokenType[]): boolean {
    const found = this.#peek().type;
    return found === type || (others.length > 0 && others.includes(found));
  }

  #peek(): Token {
    return this.#scanner.peek();
  }

  #next(): Token {
    return this.#scanner.next();
  }
}

function emptyNode(line: number): YamlNode {
  return { kind: 'scalar', line, text: '', tag: '', implicit: true };
}
