import { ValidatingWebhookConfiguration } from '@tributary/api/admissionregistration-v1';
import type { ResourceDefinition } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { defaultWebhooks } from '../shared/defaults.ts';
import { reservedNameHooks } from '../shared/stored-only.ts';
import { validateWebhooks } from '../shared/validate-webhooks.ts';
import { webhookColumns, webhookWarnings } from '../shared/webhook-configuration.ts';

/** Stored and served for extension API servers, which call the webhooks; this server does not. */
export const validatingWebhookKind: ResourceDefinition<ValidatingWebhookConfiguration> =
  defineResource({
    kind: 'ValidatingWebhookConfiguration',
    plural: 'validatingwebhookconfigurations',
    categories: ['api-extensions'],
    scope: 'Cluster',
    versions: {
      v1: version({
        typed: ValidatingWebhookConfiguration,
        columns: webhookColumns(),
        applyDefaults: ({ webhooks }) => defaultWebhooks(webhooks),
        ...reservedNameHooks(validateWebhooks),
        warnings: webhookWarnings,
      }),
    },
  });
