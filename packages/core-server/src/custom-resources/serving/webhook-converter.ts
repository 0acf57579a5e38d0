import { randomUUID } from 'node:crypto';
import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import { type KubeObject, plainError } from '@tributary/apimachinery';
import type { RemoteConversion } from '@tributary/server';
import type { CallWebhook } from './call-webhook.ts';
import {
  BadReview,
  convertedObjects,
  gvkOf,
  reviewBody,
  reviewVersionOf,
} from './conversion-review.ts';

/** So many in one call: a long list would be parsed in one go, and keep everybody else waiting. */
const OBJECTS_MAX = 200;

/** Asks the webhook of a definition to convert its objects. What goes wrong is 500, in upstream's words. */
export function webhookConverter(
  { spec }: CustomResourceDefinition,
  call: CallWebhook,
): RemoteConversion {
  const { clientConfig = {}, conversionReviewVersions } = spec.conversion?.webhook ?? {};
  const ask = async (objects: readonly KubeObject[], desired: string, signal: AbortSignal) => {
    const version = reviewVersionOf(conversionReviewVersions ?? []);
    const review = { version, uid: randomUUID(), objects, desired };
    const answer = await call(clientConfig, reviewBody(review), signal).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      throw new BadReview(`conversion webhook for ${gvkOf(objects[0])} failed: ${why}`);
    });
    return convertedObjects(review, answer);
  };
  return {
    convert: async (objects, { to }, signal) => {
      // What has the version already is not sent.
      const others = objects.filter(({ apiVersion }) => apiVersion !== to);
      if (others.length === 0) return objects;
      try {
        const converted: KubeObject[] = [];
        for (let from = 0; from < others.length; from += OBJECTS_MAX) {
          converted.push(...(await ask(others.slice(from, from + OBJECTS_MAX), to, signal)));
        }
        const next = converted.values();
        return objects.map((one) => (one.apiVersion === to ? one : (next.next().value ?? one)));
      } catch (error) {
        if (error instanceof BadReview) throw plainError(error.message);
        throw error;
      }
    },
  };
}
