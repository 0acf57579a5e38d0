/** An operation as data, from which documents of both versions are built. */
import type { GroupVersionKind } from '@tributary/apimachinery';
import type { SchemaObject } from '../schema/openapi-schema.ts';
import type { Parameter } from './parameters.ts';

export type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';

export interface Operation {
  readonly path: string;
  readonly method: Method;
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  /** Discovery has neither an action nor a kind. */
  readonly action?: string;
  readonly kind?: GroupVersionKind;
  /** Path parameters included. */
  readonly parameters: readonly Parameter[];
  readonly body?: Body;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly responses: readonly Response[];
}

export interface Body {
  /** Undefined for a kind without a definition. */
  readonly schema: SchemaObject | undefined;
  readonly required: boolean;
}

export interface Response {
  readonly code: SuccessCode;
  readonly schema: SchemaObject | undefined;
}

export type SuccessCode = 200 | 201 | 202;
