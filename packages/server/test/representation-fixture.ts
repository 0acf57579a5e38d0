/** A resource whose objects are read through the real verbs and the real cache, and are written straight into the store. */
import assert from 'node:assert/strict';
import { ABSENT, openMemoryStorage, type Storage } from '@tributary/storage';
import { storageView } from '../src/conversion/version-view.ts';
import { type ColumnInput, version } from '../src/definition/version.ts';
import { ListBodyCache } from '../src/representation/list-body-cache.ts';
import type { StoredResource } from '../src/representation/served-resource.ts';
import type { ApiRequest, ApiResponse } from '../src/request/pipeline.ts';
import { get } from '../src/verbs/get.ts';
import { list } from '../src/verbs/list.ts';
import { watch } from '../src/verbs/watch.ts';
import { openWatchCaches } from '../src/watch-cache/watch-caches.ts';
import { requestFor } from './request-fixture.ts';

export const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
export const PARTIAL = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
export const PARTIAL_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
export const YAML = 'application/yaml';

/** When every object of the fixture was created. */
export const CREATED = '2026-01-01T00:00:00Z';
export const FORECASTS = '/apis/weather.example.com/v1/namespaces/eu/forecasts';

const HEAD = '{"kind":"Forecast","apiVersion":"weather.example.com/v1","metadata":{';
const PREFIX = '/registry/weather.example.com/forecasts/';

export interface ReadFixture extends AsyncDisposable {
  readonly served: StoredResource;
  readonly listBodies: ListBodyCache;
  /** The reported errors. */
  readonly problems: unknown[];
  /** The clock of answers, in milliseconds after `CREATED`. */
  ageMs: number;
  /** `metadata` and `spec` are JSON of members, without braces. */
  put(name: string, spec?: string, metadata?: string): Promise<void>;
  /** A write of another resource, which moves the revision of the store. */
  putElsewhere(): Promise<void>;
  request(target: string, accept?: string, more?: Partial<ApiRequest>): ApiRequest;
  get(name: string, accept?: string, query?: string): Promise<ApiResponse & { kind: 'bytes' }>;
  list(accept?: string, query?: string): Promise<ApiResponse & { kind: 'bytes' }>;
  /** The first lines of a watch that begins with the present objects. */
  watch(lines: number, accept?: string, query?: string): Promise<string[]>;
}

export function readFixture(columns: readonly ColumnInput[] = []): ReadFixture {
  const storage = openMemoryStorage();
  const caches = openWatchCaches(storage);
  const listBodies = new ListBodyCache();
  const problems: unknown[] = [];
  const kind = { group: 'weather.example.com', version: 'v1', kind: 'Forecast' };
  const served = {
    version: version({ columns: columns as never }),
    kind,
    resource: { group: kind.group, resource: 'forecasts' },
    apiVersion: 'weather.example.com/v1',
    namespaced: true,
    view: storageView,
    bookmark: { kind: kind.kind, apiVersion: 'weather.example.com/v1', metadata: {}, spec: {} },
    cache: caches.cache({ prefix: PREFIX, head: Buffer.from(HEAD) }),
    responses: {
      nowMs: () => Date.parse(CREATED) + fixture.ageMs,
      listBodies,
      reportProblem: (error: unknown) => problems.push(error),
    },
    // Reads need neither a store to write to nor a decoder of bodies.
  } as unknown as StoredResource;

  const request: ReadFixture['request'] = (target, accept, more = {}) =>
    requestFor(target, { ...more, headerLines: accept === undefined ? [] : ['Accept', accept] });

  const fixture: ReadFixture = {
    served,
    listBodies,
    problems,
    ageMs: 90_000,
    request,
    put: async (name, spec = '"city":"Ghent"', metadata = '"labels":{"x":"y"}') => {
      const fields = `"name":"${name}","namespace":"eu","creationTimestamp":"${CREATED}",${metadata}`;
      await put(storage, `${PREFIX}eu/${name}`, `${HEAD}${fields}},"spec":{${spec}}}`);
    },
    putElsewhere: () => put(storage, '/registry/elsewhere/a', '{}'),
    get: async (name, accept, query = '') =>
      bytes(await get(request(`${FORECASTS}/${name}?${query}`, accept), served)),
    list: async (accept, query = '') =>
      bytes(await list(request(`${FORECASTS}?${query}`, accept), served)),
    watch: async (lines, accept, query = 'resourceVersion=0') => {
      const response = await watch(request(`${FORECASTS}?watch=1&${query}`, accept), served, {
        clock: { nowMs: Date.now, schedule: () => () => undefined },
        minRequestTimeoutMs: 1_800_000,
        random: () => 0,
      });
      assert.ok(response.kind === 'stream');
      return linesOf(response.chunks, lines);
    },
    [Symbol.asyncDispose]: async () => {
      await caches.close();
      await storage.close();
    },
  };
  return fixture;
}

/** The body as text. */
export function textOf(response: ApiResponse): string {
  assert.ok(response.kind === 'bytes');
  return Buffer.concat(response.chunks).toString();
}

/** The body as JSON. */
export function jsonOf(response: ApiResponse): unknown {
  return JSON.parse(textOf(response));
}

async function put(storage: Storage, key: string, value: string): Promise<void> {
  const stored = await storage.get(key, { signal: new AbortController().signal });
  const result = await storage.commit({
    require: [{ key, revision: stored?.revision ?? ABSENT }],
    writes: [{ kind: 'put', key, value: Buffer.from(value) }],
  });
  assert.equal(result.outcome, 'written');
}

function bytes(response: ApiResponse): ApiResponse & { kind: 'bytes' } {
  assert.ok(response.kind === 'bytes');
  return response;
}

async function linesOf(chunks: AsyncIterable<Uint8Array>, count: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const chunk of chunks) {
    lines.push(...Buffer.from(chunk).toString().trimEnd().split('\n'));
    if (lines.length >= count) break;
  }
  return lines;
}
