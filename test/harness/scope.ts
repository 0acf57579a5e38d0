/** The harness's view of a test: its end and its outcome. */
import { after, afterEach } from 'node:test';

/** The part of node:test's `TestContext` that the harness uses, so that other owners can implement it. */
export interface TestScope {
  readonly name: string;
  /** False once the test has failed. */
  readonly passed?: boolean;
  after(fn: () => Promise<void>): void;
  afterEach?(fn: (child: unknown) => void): void;
  diagnostic(message: string): void;
}

export interface Outcome {
  failed: boolean;
}

export type Cleanup = (outcome: Outcome) => void | Promise<void>;

interface Pending {
  cleanups: Cleanup[];
  childFailed: boolean;
}

const pendingByScope = new WeakMap<TestScope, Pending>();

/**
 * Registers a cleanup for the end of the test. The last registered runs first: a process ends before its directory
 * is removed. (node:test runs `after` hooks first registered first.)
 */
export function defer(t: TestScope, cleanup: Cleanup): void {
  const known = pendingByScope.get(t);
  if (known !== undefined) {
    known.cleanups.push(cleanup);
    return;
  }
  const pending: Pending = { cleanups: [cleanup], childFailed: false };
  pendingByScope.set(t, pending);
  // When `after` runs, `passed` of a test does not include its subtests.
  t.afterEach?.((child) => {
    if (hasFailed(child)) pending.childFailed = true;
  });
  t.after(async () => {
    pendingByScope.delete(t);
    await runCleanups(pending.cleanups, { failed: t.passed === false || pending.childFailed });
  });
}

/** A scope for code outside of a test. */
export function createScope(
  name: string,
): TestScope & AsyncDisposable & { close(): Promise<void> } {
  const hooks: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const hook of hooks.splice(0)) await hook();
  };
  return {
    name,
    after: (hook) => void hooks.push(hook),
    diagnostic: (message) => void process.stderr.write(`${name}: ${message}\n`),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A scope for the tests of one `describe`: called in its body, it ends with the suite and knows of failures. */
export function suiteScope(name: string): TestScope {
  const scope = createScope(name);
  let passed = true;
  afterEach((child: unknown) => {
    if (hasFailed(child)) passed = false;
  });
  after(() => scope.close());
  return {
    ...scope,
    get passed() {
      return passed;
    },
  };
}

/** A cleanup that fails must not prevent the others. */
async function runCleanups(cleanups: readonly Cleanup[], outcome: Outcome): Promise<void> {
  const errors: unknown[] = [];
  for (const cleanup of cleanups.toReversed()) {
    try {
      await cleanup(outcome);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, 'several cleanups failed');
}

function hasFailed(child: unknown): boolean {
  return typeof child === 'object' && child !== null && 'passed' in child && child.passed === false;
}
