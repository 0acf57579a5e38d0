/** Whether a schema from a client has only patterns and formats that are supported. */
import { cel } from './cel.ts';
import { enforcedFormat } from './formats.ts';
import type { SchemaTypeName } from './schema-node.ts';

/** Go's error for an invalid pattern. */
export function patternError(pattern: string): string | undefined {
  const compiled = cel().compileRegexp(pattern);
  return compiled.ok ? undefined : compiled.error;
}

/** Whether the format is validated for texts or numbers. */
export function isRecognizedFormat(type: string, format: string): boolean {
  return enforcedFormat(type === '' ? [] : [type as SchemaTypeName], format) !== '';
}
