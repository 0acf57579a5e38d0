import { createHash } from 'node:crypto';
import type { AccessInfo } from '../request/authorizer.ts';
import type { UserInfo } from '../request/pipeline.ts';

/** As long as results of token reviews are cached. */
const TTL_MS = 10_000;
/** For each cache; beyond it the oldest entry is evicted. */
const ENTRIES_MAX = 10_000;

/** Recently allowed impersonations. Denials are not cached. */
export class AllowedCache<T> {
  readonly #entries = new Map<string, { readonly value: T; readonly untilMs: number }>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (this.#nowMs() < entry.untilMs) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: T): void {
    this.#entries.delete(key);
    if (this.#entries.size >= ENTRIES_MAX) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    this.#entries.set(key, { value, untilMs: this.#nowMs() + TTL_MS });
  }
}

/** The mode by which a user last succeeded, with least-recently-used eviction. */
export class LastModes {
  readonly #modes = new Map<string, number>();

  get(user: string): number | undefined {
    return this.#modes.get(digest(user));
  }

  set(user: string, mode: number): void {
    const key = digest(user);
    this.#modes.delete(key);
    if (this.#modes.size >= ENTRIES_MAX) {
      const [oldest] = this.#modes.keys();
      if (oldest !== undefined) this.#modes.delete(oldest);
    }
    this.#modes.set(key, mode);
  }
}

/** Cache keys of one impersonation: the two users and the request. */
export interface CacheKeys {
  /** The two users alone. */
  readonly users: () => string;
  readonly request: () => string;
}

/** Computes keys at first use, once for all modes. */
export function cacheKeys(wanted: UserInfo, requestor: UserInfo, info: AccessInfo): CacheKeys {
  let users: string | undefined;
  let request: string | undefined;
  const parts = [userParts(wanted), userParts(requestor)];
  // The name stands beside the digest, so that a collision can never grant one user's result to another.
  const keyOf = (value: unknown) => `${digest(JSON.stringify(value))}/${requestor.name}`;
  return {
    users: () => {
      users ??= keyOf(parts);
      return users;
    },
    request: () => {
      request ??= keyOf([...parts, infoParts(info)]);
      return request;
    },
  };
}

function userParts({ name, uid, groups, extra }: UserInfo): unknown {
  const keys = Object.keys(extra).sort();
  return [name, uid, groups, keys.map((key) => [key, extra[key]])];
}

function infoParts(info: AccessInfo): unknown {
  return [
    ...[info.verb, info.namespace, info.resource, info.subresource, info.name, info.group],
    ...[info.version, info.isResourceRequest, info.path, info.fieldSelector, info.labelSelector],
  ];
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
