/** Faults of certificates, of servers and of the front proxy. */
import { createKey, issueLeaf, validFor } from '@tributary/server/pki';
import { createAuthority } from '../harness/index.ts';
import { type Fault, registration, withFrontProxy, withPair } from './doctor-fault.ts';
import { makePki, NAME, SERVER_NAME, serving } from './doctor-kit.ts';

const HOUR_MS = 3_600_000;
const proxy = { commonName: 'front-proxy-client', usage: 'client' } as const;

export const certificateFaults: readonly Fault[] = [
  {
    name: 'a certificate for another name',
    hop: 'tls-name',
    seen: /is for DNS:other\.svc, not for api\.wardle\.svc/,
    isCommand: true,
    inject: (kit) =>
      withPair(
        kit,
        kit.authority.issue({ commonName: 'x', names: ['other.svc'], usage: 'server' }),
      ),
  },
  {
    name: 'a certificate with the name as its common name alone',
    hop: 'tls-name',
    seen: /no subject alternative names, and its common name "api\.wardle\.svc" is ignored/,
    inject: (kit) =>
      withPair(kit, kit.authority.issue({ commonName: SERVER_NAME, usage: 'server' })),
  },
  {
    name: 'a certificate that has expired',
    hop: 'ca',
    seen: /expired on/,
    inject: (kit) =>
      withPair(
        kit,
        kit.authority.issue({
          ...serving,
          notBefore: new Date(Date.now() - 2 * HOUR_MS),
          notAfter: new Date(Date.now() - HOUR_MS),
        }),
      ),
  },
  {
    name: 'a certificate of tributary pki that has expired',
    hop: 'ca',
    seen: /expired on/,
    inject: async (kit) => {
      const made = await makePki(kit);
      const validity = {
        notBefore: new Date(Date.now() - 2 * HOUR_MS),
        notAfter: new Date(Date.now() - HOUR_MS),
      };
      const injected = await withPair(kit, issueLeaf(made, serving, validity));
      const caBundle = Buffer.from(made.cert).toString('base64');
      await kit.register({ port: kit.backend.port, apiService: registration(kit, { caBundle }) });
      return injected;
    },
  },
  {
    name: 'a certificate that is good only later',
    hop: 'ca',
    seen: /valid only from .* one of the two clocks is wrong/,
    inject: (kit) =>
      withPair(kit, kit.authority.issue({ ...serving, notBefore: new Date(Date.now() + HOUR_MS) })),
  },
  {
    name: 'a caBundle of another authority',
    hop: 'ca',
    seen: /signed by "doctor-ca"; the caBundle holds "somebody else"/,
    inject: async (kit) => {
      const caBundle = Buffer.from(createAuthority('somebody else').cert).toString('base64');
      const injected = await withPair(kit, kit.authority.issue(serving));
      await kit.register({ port: kit.backend.port, apiService: registration(kit, { caBundle }) });
      return injected;
    },
  },
  {
    name: 'no caBundle',
    hop: 'ca',
    seen: /there is no caBundle/,
    inject: async (kit) => {
      const { caBundle: _, ...spec } = registration(kit).spec as { caBundle?: string };
      const metadata = { name: NAME };
      await kit.register({ port: kit.wardle.port, apiService: { metadata, spec } });
      return { blanks: { CA_BUNDLE: Buffer.from(kit.authority.cert).toString('base64') } };
    },
  },
  {
    name: 'an authority of tributary pki that the registration does not know',
    hop: 'ca',
    seen: /signed by "wardle\.example\.com-ca"/,
    // No blanks: the doctor finds the authority on this machine.
    inject: async (kit) => {
      const made = await makePki(kit);
      const pair = issueLeaf(made, serving, validFor({ nowMs: Date.now(), lifetimeMs: HOUR_MS }));
      await kit.backend.restart({ pair });
      await kit.register({ port: kit.backend.port });
      return {};
    },
  },
  {
    name: 'a front proxy whose authority nobody believes',
    hop: 'client-certificate',
    seen: /signed by "another-front-proxy-ca".* contains only "front-proxy-ca"/,
    inject: (kit) => withFrontProxy(kit, createAuthority('another-front-proxy-ca').issue(proxy)),
  },
  {
    name: 'a front proxy whose name is not allowed',
    hop: 'client-certificate',
    seen: /"another-client" is not in requestheader-allowed-names/,
    inject: (kit) => {
      const validity = validFor({ nowMs: Date.now(), lifetimeMs: HOUR_MS });
      const request = { ...proxy, commonName: 'another-client' };
      return withFrontProxy(kit, issueLeaf(kit.frontProxyCa, request, validity));
    },
  },
  {
    name: 'a front proxy whose certificate has expired',
    hop: 'client-certificate',
    seen: /front-proxy-client\.crt expired on/,
    inject: (kit) => {
      const validity = {
        notBefore: new Date(Date.now() - 2 * HOUR_MS),
        notAfter: new Date(Date.now() - HOUR_MS),
      };
      return withFrontProxy(kit, issueLeaf(kit.frontProxyCa, proxy, validity));
    },
  },
  {
    name: 'a front proxy with the key of somebody else',
    hop: 'client-certificate',
    seen: /the key next to .* belongs to another certificate/,
    inject: (kit) => {
      const validity = validFor({ nowMs: Date.now(), lifetimeMs: HOUR_MS });
      const { cert } = issueLeaf(kit.frontProxyCa, proxy, validity);
      return withFrontProxy(kit, { cert, key: createKey() });
    },
  },
];
