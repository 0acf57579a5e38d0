/** Projections over fake sources, for the tests of the contract and of what happens at the source. */
import type { KubeObject, ObjectMeta } from '@tributary/apimachinery';
import {
  type ChangeEvent,
  type Clock,
  type CommitResult,
  type Storage,
  type Stored,
  systemClock,
  type Write,
} from '@tributary/storage';
import { storedForm } from '../../src/conversion/stored-form.ts';
import type { StoredLayout } from '../../src/definition/backing.ts';
import type { ProjectionLimits } from '../../src/projection/limits.ts';
import { projection } from '../../src/projection/projection.ts';
import type { OptionalMetadata } from '../../src/projection/projector.ts';
import type { ProjectionSource } from '../../src/projection/source.ts';
import { replaced } from '../watch-cache-fixture.ts';
import type { FakeItem } from './fake-source.ts';

export const OURS = 'ours';

/** The content of an item is the object. Items of others are not projected, and foreign fields are preserved. */
export function toObject({ label, content }: FakeItem): KubeObject | undefined {
  return label === OURS ? JSON.parse(content) : undefined;
}

export function toItem(object: KubeObject, previous: FakeItem | undefined): FakeItem {
  const { name = '', namespace } = object.metadata;
  const id = namespace === undefined ? name : `${namespace}/${name}`;
  const content = JSON.stringify(object);
  return { foreign: 'none', revision: 0, ...previous, id, label: OURS, content };
}

export interface OpenOptions {
  readonly prefix?: string;
  readonly namespaced?: boolean;
  readonly clock?: Clock;
  readonly limits?: Partial<ProjectionLimits>;
  readonly report?: (problem: Error) => void;
  readonly cannotHold?: readonly OptionalMetadata[];
  /** Metadata that the projection forgets. */
  readonly loses?: readonly (keyof ObjectMeta)[];
}

const form = storedForm('test.example.com/v1', 'Thing');
export const head = form.head;

export function openProjection(
  source: ProjectionSource<FakeItem>,
  options: OpenOptions = {},
): Storage {
  const { prefix = '', namespaced = false, clock = systemClock, loses = [], ...more } = options;
  const layout: StoredLayout = { prefix, namespaced, clock, ...form };
  const lossy = (object: KubeObject, previous: FakeItem | undefined) => {
    const preserved = Object.entries(object.metadata).filter(
      ([field]) => !loses.some((lost) => lost === field),
    );
    return toItem({ ...object, metadata: Object.fromEntries(preserved) }, previous);
  };
  return projection<FakeItem>({ source, toObject, toItem: lossy, ...more }).open(layout);
}

/** An object in the form that the projections of this file store. */
export function objectBytes(name: string, more: Partial<KubeObject> = {}): Uint8Array {
  const { metadata, ...fields } = more;
  return form.encode({ apiVersion: '', kind: '', metadata: { name, ...metadata }, ...fields });
}

/**
 * A store of any bytes on a projection, which stores objects: the bytes are a field of them. The suite
 * of the storage contract writes such bytes, under keys that are the names.
 */
export function bytesInObjects(storage: Storage): Storage {
  const encode = (write: Write): Write =>
    write.kind === 'delete'
      ? write
      : {
          ...write,
          value: objectBytes(write.key, { bytes: Buffer.from(write.value).toString('base64') }),
        };
  const value = (stored: Uint8Array) =>
    Buffer.from(String(form.decode(stored, 1 as never).bytes), 'base64');
  const decode = <S extends Stored | undefined>(stored: S): S =>
    stored && { ...stored, value: value(stored.value) };
  const decodeEvent = (event: ChangeEvent): ChangeEvent =>
    event.kind === 'delete'
      ? { ...event, previous: decode(event.previous) }
      : { ...event, value: value(event.value), previous: decode(event.previous) };
  const list: Storage['list'] = async (...args) => {
    const page = await storage.list(...args);
    return { ...page, items: page.items.map(decode) };
  };
  return replaced(storage, {
    get: async (...args) => decode(await storage.get(...args)),
    list,
    commit: async ({ require, writes }): Promise<CommitResult> => {
      const result = await storage.commit({ require, writes: writes.map(encode) });
      return result.outcome === 'written' ? result : { ...result, current: decode(result.current) };
    },
    async *feed(...args) {
      for await (const { events, progress } of storage.feed(...args)) {
        yield { events: events.map(decodeEvent), progress };
      }
    },
    stats: async (options) => {
      const { items } = await list('', options);
      const valueBytes = items.reduce((sum, one) => sum + one.value.byteLength, 0);
      return { ...(await storage.stats(options)), valueBytes };
    },
  });
}
