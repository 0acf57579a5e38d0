import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '@tributary/api/admissionregistration-v1';
import type { ColumnInput, ResourceDefinition } from '@tributary/server';
import { ageColumn, defineResource, nameColumn, version } from '@tributary/server/definition';
import { defaultWebhooks } from './default-admission.ts';
import { storedOnlyWarnings, unreserved } from './stored-only.ts';
import { validateWebhooks } from './validate-webhook.ts';

type Configuration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;

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

/** Likewise. */
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
        ...unreserved(validateWebhooks),
        warnings: webhookWarnings,
      }),
    },
  },
);

function webhookColumns(): ColumnInput<Configuration>[] {
  return [
    nameColumn,
    {
      name: 'Webhooks',
      type: 'integer',
      description: 'How many webhooks it registers',
      cell: ({ webhooks = [] }) => webhooks.length,
    },
    ageColumn,
  ];
}

function webhookWarnings(configuration: Configuration): string[] {
  const { webhooks = [] } = configuration;
  return storedOnlyWarnings(configuration, webhooks.length > 0 ? 'call its webhooks' : undefined);
}
