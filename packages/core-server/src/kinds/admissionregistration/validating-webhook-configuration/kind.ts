import { ValidatingWebhookConfiguration } from '@tributary/api/admissionregistration-v1';
import type { ResourceDefinition } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { defaultWebhooks } from '../shared/defaults.ts';
import { unreserved } from '../shared/stored-only.ts';
import { validateWebhooks } from '../shared/validate-webhooks.ts';
import { webhookColumns, webhookWarnings } from '../shared/webhook-configuration.ts';

/** Stored and served for extension servers, which follow it: this server calls no webhook itself. */
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
        ...unreserved(validateWebhooks),
        warnings: webhookWarnings,
      }),
    },
  });
