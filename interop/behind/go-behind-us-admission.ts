/** Policies and webhooks are stored by the control plane, and kept to by the Go server behind it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createAuthority, defer, type TestScope } from '../../test/harness/index.ts';
import { within } from '../delegation/suite.ts';
import { askFront, flunder, flundersPath, makeNamespace, must } from './ask.ts';
import { GROUP, type Site } from './site.ts';

const NAMESPACE = 'admission';
const FLUNDERS = flundersPath(NAMESPACE);
const REGISTRATIONS = '/apis/admissionregistration.k8s.io/v1';
const RULE = {
  apiGroups: [GROUP],
  apiVersions: ['*'],
  resources: ['flunders'],
  operations: ['CREATE'],
};
/** It looks at policies once a second, and at webhooks when they change. */
const FOLLOWED_MS = 60_000;
const STORED_ONLY = /tributary stores this and does not/;

export async function enforcesWhatIsStored(t: TestScope, site: Site): Promise<void> {
  await makeNamespace(site, NAMESPACE);
  await keepsToPolicies(site);
  await callsWebhooks(t, site);
}

async function keepsToPolicies(site: Site): Promise<void> {
  const policy = 'names.example.com';
  const remove = await register(site, 'validatingadmissionpolicies', {
    metadata: { name: policy },
    spec: {
      matchConstraints: { resourceRules: [RULE] },
      validations: [{ expression: '!object.metadata.name.startsWith("bad")', message: 'no bad' }],
    },
  });
  const unbind = await register(site, 'validatingadmissionpolicybindings', {
    metadata: { name: policy },
    spec: { policyName: policy, validationActions: ['Deny'] },
  });
  await within(FOLLOWED_MS, () => refused(site, 'bad', /denied request: no bad/));
  await must(askFront(site, FLUNDERS, { method: 'POST', body: flunder('good') }));
  await unbind();
  await remove();
  await within(FOLLOWED_MS, () => allowed(site, 'bad'));
}

/** The webhook is called by the Go server, and never by the control plane, whose ConfigMaps it is about as well. */
async function callsWebhooks(t: TestScope, site: Site): Promise<void> {
  const webhook = await startWebhook(t);
  const remove = await register(site, 'validatingwebhookconfigurations', {
    metadata: { name: 'hook.example.com' },
    webhooks: [
      {
        name: 'hook.rows.example.com',
        clientConfig: { url: webhook.url, caBundle: Buffer.from(webhook.ca).toString('base64') },
        rules: [RULE, { ...RULE, apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
  await within(FOLLOWED_MS, () => refused(site, 'hooked', /denied the request: not today/));
  await must(
    askFront(site, `/api/v1/namespaces/${NAMESPACE}/configmaps`, {
      method: 'POST',
      body: { metadata: { name: 'ours' } },
    }),
  );
  assert.deepEqual([...new Set(webhook.kinds)], ['Flunder']);
  await remove();
  await within(FOLLOWED_MS, () => allowed(site, 'hooked'));
}

/** Says that it is only stored; what is given takes it away again. */
async function register(site: Site, plural: string, object: object): Promise<() => Promise<void>> {
  const collection = `${REGISTRATIONS}/${plural}`;
  const made = await must(askFront(site, collection, { method: 'POST', body: object }));
  assert.match(made.headers.warning ?? '', STORED_ONLY);
  const { metadata } = made.json() as { metadata: { name: string } };
  return async () => {
    await must(askFront(site, `${collection}/${metadata.name}`, { method: 'DELETE' }));
  };
}

async function refused(site: Site, name: string, why: RegExp): Promise<void> {
  // A dry run, so that an attempt that comes too early leaves nothing.
  const path = `${FLUNDERS}?dryRun=All`;
  const { status, body } = await askFront(site, path, { method: 'POST', body: flunder(name) });
  assert.ok(status === 422 || status === 403 || status === 400, `${status} ${body}`);
  assert.match(body, why);
}

async function allowed(site: Site, name: string): Promise<void> {
  await must(askFront(site, `${FLUNDERS}?dryRun=All`, { method: 'POST', body: flunder(name) }));
}

interface Webhook {
  readonly url: string;
  readonly ca: string;
  /** Of the objects that it was asked about. */
  readonly kinds: readonly string[];
}

interface AdmissionReview {
  readonly request: { readonly uid: string; readonly kind: { readonly kind: string } };
}

/** Refuses everything. */
async function startWebhook(t: TestScope): Promise<Webhook> {
  const authority = createAuthority('webhook-ca');
  const serving = authority.issue({
    commonName: 'webhook',
    names: ['127.0.0.1'],
    usage: 'server',
  });
  const kinds: string[] = [];
  const server = createServer(serving, (request, response) => {
    void text(request)
      .then((body) => {
        const { uid, kind } = (JSON.parse(body) as AdmissionReview).request;
        kinds.push(kind.kind);
        const result = { uid, allowed: false, status: { message: 'not today' } };
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({
            apiVersion: 'admission.k8s.io/v1',
            kind: 'AdmissionReview',
            response: result,
          }),
        );
      })
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  defer(t, () => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}/`, ca: authority.cert, kinds };
}
