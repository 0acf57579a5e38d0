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

/** Objects per call: the response is parsed at once, and a longer one would delay other requests. */
const OBJECTS_MAX = 200;

/** Converts objects of a definition by its webhook. Failures are 500, with upstream's messages. */
export function webhookConverter(
  { spec }: CustomResourceDefinition,
  call: CallWebhook,
): RemoteConversion {
  const { clientConfig = {}, conversionReviewVersions } = spec.conversion?.webhook ?? {};
  const convertBatch = async (
    objects: readonly KubeObject[],
    desired: string,
    signal: AbortSignal,
  ) => {
    const version = reviewVersionOf(conversionReviewVersions ?? []);
    const review = { version, uid: randomUUID(), objects, desired };
    const body = await call(clientConfig, reviewBody(review), signal).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new BadReview(`conversion webhook for ${gvkOf(objects[0])} failed: ${reason}`);
    });
    return convertedObjects(review, body);
  };
  return {
    convert: async (objects, { to }, signal) => {
      // Objects that already have the version are not sent.
      const others = objects.filter(({ apiVersion }) => apiVersion !== to);
      if (others.length === 0) return objects;
      try {
        const converted: KubeObject[] = [];
        for (let from = 0; from < others.length; from += OBJECTS_MAX) {
          converted.push(
            ...(await convertBatch(others.slice(from, from + OBJECTS_MAX), to, signal)),
          );
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
