/** Webhooks that answer whatever they like: conversion of a custom resource, authentication and authorization. */
import { type Attack, type AttackContext, Findings } from '../attack.ts';
import { webhookBehaviours } from '../evil-webhooks.ts';
import { knownDefects } from '../known-defects.ts';
import { ATTACKED, asAdmin, type Site, send } from '../site.ts';

const TIMEOUT_MS = 3_000;
const LANES = 6;

export const evilWebhooks: Attack = {
  name: 'evil webhooks',
  summary: `${webhookBehaviours.length} behaviours of conversion, authentication and authorization webhooks`,
  needs: 'backends',
  weight: 3,
  async run(context) {
    const findings = new Findings();
    const usable = webhookBehaviours.filter(
      (name) => context.withKnown || !knownDefects.has(`webhook: ${name}`),
    );
    // In another order each time: a short run has no time for all of them.
    const names = context.random.shuffle(usable);
    let next = 0;
    const lane = async (): Promise<void> => {
      for (let at = next++; at < names.length && (at < LANES || context.hasTime()); at = next++) {
        if (context.site.hasEnded()) return;
        const name = names[at] as string;
        for (const problem of await tryBehaviour(context, name))
          findings.add(`webhook: ${name}: ${problem}`);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return { sent: Math.min(next, names.length) * 6, findings: findings.lines };
  },
};

async function tryBehaviour(context: AttackContext, name: string): Promise<string[]> {
  const { site, evil } = context;
  if (evil === undefined) return ['no evil servers'];
  const problems: string[] = [];
  const seen = async (what: string, sending: Parameters<typeof send>[1]): Promise<number> => {
    try {
      const { status, body } = await send(site, { timeoutMs: TIMEOUT_MS, ...sending });
      if (/panic|Cannot read properties|is not a function|undefined/i.test(body)) {
        problems.push(`${what} answers with a bug: ${body.slice(0, 200)}`);
      }
      return status;
    } catch {
      return 0; // A webhook that stalls takes its own request with it.
    }
  };
  const token = { headers: { authorization: `Bearer evil-${name}` }, as: 'nobody' } as const;
  const withToken = await seen('a token', { path: '/api/v1/secrets', ...token });
  if (withToken >= 200 && withToken < 300) problems.push('its token reads Secrets');
  const named = {
    path: `/api/v1/namespaces/kube-system/secrets/evil-${name}`,
    as: 'user',
  } as const;
  const withName = await seen('an authorization', named);
  if (withName >= 200 && withName < 300) problems.push('its decision reads Secrets');
  problems.push(...(await tryConversion(site, { name, seen, evil })));
  return problems;
}

interface Conversion {
  readonly name: string;
  readonly seen: (what: string, sending: Parameters<typeof send>[1]) => Promise<number>;
  readonly evil: NonNullable<AttackContext['evil']>;
}

async function tryConversion(site: Site, { name, seen, evil }: Conversion): Promise<string[]> {
  const group = `${name}.evil.example.com`;
  const version = (one: string, storage: boolean) => ({
    name: one,
    served: true,
    storage,
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: { spec: { type: 'object', properties: { size: { type: 'number' } } } },
      },
    },
  });
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `evils.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'evils', singular: 'evil', kind: 'Evil', listKind: 'EvilList' },
      versions: [version('v1', true), version('v2', false)],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: { url: `${evil.webhookUrl}/${name}`, caBundle: evil.caBundle },
        },
      },
    },
  };
  const created = await seen('the definition', {
    method: 'POST',
    path,
    body: definition,
    as: 'admin',
  });
  if (created !== 201) return created === 0 ? ['no response to a definition'] : [];
  const objects = (served: string) => `/apis/${group}/${served}/namespaces/${ATTACKED}/evils`;
  const object = { kind: 'Evil', metadata: { name: 'one' }, spec: { size: 1 } };
  for (const [method, served, suffix] of [
    ['POST', 'v1', ''],
    ['GET', 'v2', ''],
    ['GET', 'v2', '/one'],
    ['PATCH', 'v2', '/one'],
    ['DELETE', 'v1', '/one'],
  ] as const) {
    const isPatch = method === 'PATCH';
    const body =
      method === 'POST' ? { ...object, apiVersion: `${group}/v1` } : { spec: { size: 2 } };
    await seen(`${method} ${served}`, {
      method,
      path: objects(served) + suffix,
      as: 'admin',
      ...(method === 'GET' || method === 'DELETE' ? {} : { body }),
      ...(isPatch ? { headers: { 'content-type': 'application/merge-patch+json' } } : {}),
    });
  }
  await asAdmin(site, 'DELETE', `${path}/evils.${group}`).catch(() => undefined); // Others find out.
  return [];
}
