import { MutatingWebhookConfiguration } from '@tributary/api/admissionregistration-v1';
import type { ResourceDefinition } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { defaultWebhooks } from '../shared/defaults.ts';
import { reservedNameHooks } from '../shared/stored-only.ts';
import { validateWebhooks } from '../shared/validate-webhooks.ts';
import { webhookColumns, webhookWarnings } from '../shared/webhook-configuration.ts';

/** Stored and served for extension API servers, which call the webhooks; this server does not. */
export const mutatingWebhookKind: ResourceDefinition<MutatingWebhookConfiguration> = defineResource(
  {
    kind: 'MutatingWebhookConfiguration',
    plural: 'mutatingwebhookconfigurations',
    categories: ['api-extensions'],
    scope: 'Cluster',
    versions: {
      v1: version({
        typed: MutatingWebhookConfiguration,
        columns: webhookColumns(),
        applyDefaults: ({ webhooks = [] }) => {
          defaultWebhooks(webhooks);
          for (const webhook of webhooks) webhook.reinvocationPolicy ??= 'Never';
        },
        ...reservedNameHooks(validateWebhooks),
        warnings: webhookWarnings,
      }),
    },
  },
);
