/** Facts of the built-in kinds: Go's types, and the published documents of the real server. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { httpsRequest } from '../../test/harness/index.ts';
import { buildPeers } from '../peers/build.ts';
import { startReferenceStack } from '../stack.ts';
import { groupVersions } from './packages.ts';

export interface KindFacts {
  readonly kinds: readonly ReflectedKind[];
  /** By package path and name: `k8s.io/api/core/v1.ServiceSpec`. */
  readonly types: Readonly<Record<string, ReflectedType>>;
  /** Definitions of OpenAPI version 3, without their words. */
  readonly definitions: Readonly<Record<string, PublishedSchema>>;
}

export interface ReflectedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly type: string;
}

/** A type in the output of the type-reflector. */
export interface ReflectedType {
  readonly fields?: readonly ReflectedField[];
  readonly underlying?: string;
  readonly special?: string;
}

export interface ReflectedField {
  readonly name: string;
  readonly type: string;
  readonly omitEmpty?: boolean;
  readonly omitZero?: boolean;
  readonly inline?: boolean;
  /** In protocol buffers. */
  readonly number?: number;
}

export type PublishedSchema = Readonly<Record<string, unknown>> & {
  readonly properties?: Readonly<Record<string, PublishedSchema>>;
  readonly required?: readonly string[];
};

/** Asks Go and a kube-apiserver that is started for it; takes about ten seconds. */
export async function collectFacts(log: (line: string) => void): Promise<KindFacts> {
  const reflected = await reflectTypes(log);
  await using stack = await startReferenceStack();
  const { url, ca, admin } = stack.kubeApiserver;
  const definitions: Record<string, PublishedSchema> = {};
  for (const path of groupVersions) {
    const { status, body } = await httpsRequest(`${url}/openapi/v3/${path}`, { ca, ...admin });
    if (status !== 200) throw new Error(`/openapi/v3/${path}: ${status} ${body}`);
    Object.assign(definitions, definitionsIn(JSON.parse(body)));
  }
  return { ...reflected, definitions };
}

/** The definitions of a document of either version; a reference is the bare name of a definition, with the rest beside it. */
export function definitionsIn(document: unknown): Record<string, PublishedSchema> {
  const { components, definitions } = document as {
    components?: { schemas: Record<string, unknown> };
    definitions?: Record<string, unknown>;
  };
  return withoutWords(components?.schemas ?? definitions ?? {}) as Record<string, PublishedSchema>;
}

function withoutWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutWords);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    // A field may be called like that too; its schema is not text.
    .filter(([name, one]) => name !== 'description' || typeof one !== 'string')
    .map(([name, one]) => [name, withoutWords(one)] as const);
  return withBareReference(Object.fromEntries(members));
}

function withBareReference(schema: Record<string, unknown>): Record<string, unknown> {
  if (typeof schema.$ref === 'string') {
    return {
      ...schema,
      $ref: schema.$ref.replace(/^#\/(?:components\/schemas|definitions)\//, ''),
    };
  }
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf) || allOf.length !== 1) return schema;
  return { ...rest, ...(allOf[0] as Record<string, unknown>) };
}

async function reflectTypes(
  log: (line: string) => void,
): Promise<Pick<KindFacts, 'kinds' | 'types'>> {
  const programs = await buildPeers(['type-reflector'], { log });
  const program = programs.get('type-reflector') ?? '';
  const { stdout } = await promisify(execFile)(program, { maxBuffer: OUTPUT_BYTES_MAX });
  return JSON.parse(stdout) as Pick<KindFacts, 'kinds' | 'types'>;
}

const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
