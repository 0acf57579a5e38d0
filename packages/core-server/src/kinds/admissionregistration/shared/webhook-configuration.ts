import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '@tributary/api/admissionregistration-v1';
import type { ColumnInput } from '@tributary/server';
import { ageColumn, nameColumn } from '@tributary/server/definition';
import { storedOnlyWarnings } from './stored-only.ts';

export type Configuration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;

export function webhookColumns(): ColumnInput<Configuration>[] {
  return [
    nameColumn,
    {
      name: 'Webhooks',
      type: 'integer',
      description: 'The number of webhooks',
      cell: ({ webhooks = [] }) => webhooks.length,
    },
    ageColumn,
  ];
}

export function webhookWarnings(configuration: Configuration): string[] {
  const { webhooks = [] } = configuration;
  return storedOnlyWarnings(configuration, webhooks.length > 0 ? 'call its webhooks' : undefined);
}
