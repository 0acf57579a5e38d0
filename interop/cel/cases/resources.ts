/** Definitions of the shapes that well-known operators bring, written by us. */
import { rules } from '../case.ts';

const certificate = {
  type: 'object',
  properties: {
    dnsNames: { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 253 } },
    ipAddresses: { type: 'array', maxItems: 50, items: { type: 'string', maxLength: 64 } },
    duration: { type: 'string', maxLength: 32 },
    renewBefore: { type: 'string', maxLength: 32 },
    issuerRef: {
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: 253 },
        kind: { type: 'string', maxLength: 63 },
      },
    },
    privateKey: {
      type: 'object',
      properties: {
        algorithm: { type: 'string', enum: ['RSA', 'ECDSA', 'Ed25519'] },
        size: { type: 'integer' },
      },
    },
  },
};

const route = {
  type: 'object',
  properties: {
    hostnames: { type: 'array', maxItems: 16, items: { type: 'string', maxLength: 253 } },
    parentRefs: {
      type: 'array',
      maxItems: 32,
      items: {
        type: 'object',
        properties: {
          group: { type: 'string', maxLength: 253 },
          kind: { type: 'string', maxLength: 63 },
          name: { type: 'string', maxLength: 253 },
          namespace: { type: 'string', maxLength: 63 },
          sectionName: { type: 'string', maxLength: 253 },
          port: { type: 'integer', format: 'int32' },
        },
      },
    },
    rules: {
      type: 'array',
      maxItems: 16,
      items: {
        type: 'object',
        properties: {
          matches: {
            type: 'array',
            maxItems: 8,
            items: {
              type: 'object',
              properties: {
                path: {
                  type: 'object',
                  properties: {
                    type: { type: 'string', enum: ['Exact', 'PathPrefix', 'RegularExpression'] },
                    value: { type: 'string', maxLength: 1024 },
                  },
                },
              },
            },
          },
          filters: {
            type: 'array',
            maxItems: 16,
            items: {
              type: 'object',
              properties: {
                type: { type: 'string', maxLength: 40 },
                requestRedirect: {
                  type: 'object',
                  properties: { port: { type: 'integer' }, scheme: { type: 'string' } },
                },
              },
            },
          },
          backendRefs: {
            type: 'array',
            maxItems: 16,
            items: {
              type: 'object',
              properties: { name: { type: 'string' }, weight: { type: 'integer' } },
            },
          },
        },
      },
    },
  },
};

const database = {
  type: 'object',
  properties: {
    instances: { type: 'integer' },
    minSyncReplicas: { type: 'integer' },
    maxSyncReplicas: { type: 'integer' },
    imageName: { type: 'string', maxLength: 256 },
    storage: {
      type: 'object',
      properties: {
        size: { type: 'string', maxLength: 20 },
        storageClass: { type: 'string', maxLength: 253 },
      },
    },
    walStorage: {
      type: 'object',
      properties: { size: { type: 'string', maxLength: 20 } },
    },
    resources: {
      type: 'object',
      properties: {
        limits: {
          type: 'object',
          maxProperties: 10,
          additionalProperties: { 'x-kubernetes-int-or-string': true },
        },
        requests: {
          type: 'object',
          maxProperties: 10,
          additionalProperties: { 'x-kubernetes-int-or-string': true },
        },
      },
    },
    parameters: {
      type: 'object',
      maxProperties: 100,
      additionalProperties: { type: 'string', maxLength: 256 },
    },
    podCIDRs: { type: 'array', maxItems: 8, items: { type: 'string', maxLength: 43 } },
    serviceIP: { type: 'string', maxLength: 39 },
    schedule: { type: 'string', maxLength: 64 },
    endpoint: { type: 'string', maxLength: 2048 },
  },
};

export const resourceCases = [
  ...rules(
    'certificate',
    {
      schema: certificate,
      self: {
        dnsNames: ['example.com', '*.example.com'],
        ipAddresses: ['10.0.0.1', '2001:db8::1'],
        duration: '2160h',
        renewBefore: '360h',
        issuerRef: { name: 'ca', kind: 'ClusterIssuer' },
        privateKey: { algorithm: 'RSA', size: 1024 },
      },
    },
    [
      `self.dnsNames.all(n, n.size() > 0 && n.size() <= 253)`,
      `self.dnsNames.all(n, n.matches('^(\\\\*\\\\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$'))`,
      `self.ipAddresses.all(i, isIP(i))`,
      `self.ipAddresses.all(i, ip(i).family() == 4)`,
      `self.ipAddresses.all(i, ip.isCanonical(i))`,
      `duration(self.renewBefore) < duration(self.duration)`,
      `duration(self.duration) >= duration('1h')`,
      `duration(self.duration) / 3 > duration(self.renewBefore)`,
      `has(self.dnsNames) || has(self.ipAddresses)`,
      `self.issuerRef.kind in ['Issuer', 'ClusterIssuer']`,
      `!has(self.issuerRef.kind) || self.issuerRef.kind == 'Issuer'`,
      `self.privateKey.algorithm == 'RSA' ? self.privateKey.size in [2048, 4096, 8192] : true`,
      `self.privateKey.algorithm != 'ECDSA' || self.privateKey.size in [256, 384, 521]`,
      `self.dnsNames.exists(n, n.startsWith('*.')) ? self.issuerRef.kind == 'ClusterIssuer' : true`,
      `self.dnsNames.all(n, self.dnsNames.exists_one(m, m == n))`,
    ],
  ),
  ...rules(
    'route',
    {
      schema: route,
      self: {
        hostnames: ['shop.example.com'],
        parentRefs: [
          { name: 'gateway', sectionName: 'https' },
          { name: 'gateway', sectionName: 'http', port: 80 },
        ],
        rules: [
          {
            matches: [{ path: { type: 'PathPrefix', value: '/cart/' } }, { path: { value: 'x' } }],
            filters: [{ type: 'RequestRedirect', requestRedirect: { scheme: 'https' } }],
            backendRefs: [
              { name: 'cart', weight: 90 },
              { name: 'cart-next', weight: 10 },
            ],
          },
        ],
      },
    },
    [
      `self.parentRefs.all(p1, self.parentRefs.exists_one(p2, p1.name == p2.name && ((!has(p1.sectionName) && !has(p2.sectionName)) || p1.sectionName == p2.sectionName)))`,
      `self.parentRefs.all(p, has(p.port) || has(p.sectionName))`,
      `self.parentRefs.all(p, has(p.port))`,
      `self.hostnames.all(h, !h.startsWith('*.') || h.size() > 2)`,
      `self.rules.all(r, r.matches.all(m, has(m.path) && m.path.value.startsWith('/')))`,
      `self.rules.all(r, r.matches.all(m, m.path.?type.orValue('PathPrefix') != 'PathPrefix' || !m.path.value.contains('//')))`,
      `self.rules.all(r, !r.filters.exists(f, f.type == 'RequestRedirect') || r.backendRefs.size() == 0)`,
      `self.rules.all(r, r.filters.filter(f, f.type == 'RequestRedirect').size() <= 1)`,
      `self.rules.all(r, r.backendRefs.map(b, b.weight).sum() == 100)`,
      `self.rules.all(r, r.filters.all(f, f.type != 'RequestRedirect' || has(f.requestRedirect)))`,
      `self.rules.all(r, r.filters.all(f, f.requestRedirect.scheme in ['http', 'https']))`,
      `self.rules.all(r, r.filters.all(f, f.requestRedirect.port > 0))`,
      `self.rules.map(r, r.matches.size()).sum() <= 128`,
      `(self.rules.size() > 0 ? self.rules[0].matches.size() : 0) + (self.rules.size() > 1 ? self.rules[1].matches.size() : 0) <= 128`,
    ],
  ),
  ...rules(
    'database',
    {
      schema: database,
      self: {
        instances: 3,
        minSyncReplicas: 1,
        maxSyncReplicas: 2,
        imageName: 'ghcr.io/db/postgres:16.2-bookworm',
        storage: { size: '10Gi', storageClass: 'fast' },
        walStorage: { size: '2Gi' },
        resources: {
          limits: { cpu: 2, memory: '4Gi' },
          requests: { cpu: '500m', memory: '1Gi' },
        },
        parameters: { max_connections: '100', shared_buffers: '256MB' },
        podCIDRs: ['10.1.0.0/16', '10.2.0.0/16'],
        serviceIP: '10.96.0.10',
        schedule: '0 3 * * *',
        endpoint: 'https://s3.example.com:9000/bucket?region=eu',
      },
      oldSelf: {
        instances: 2,
        storage: { size: '20Gi', storageClass: 'fast' },
        imageName: 'ghcr.io/db/postgres:15.6',
      },
    },
    [
      'self.instances > self.maxSyncReplicas && self.minSyncReplicas <= self.maxSyncReplicas',
      'self.instances == 1 || self.instances % 2 == 1',
      `quantity(self.storage.size).compareTo(quantity(oldSelf.storage.size)) >= 0`,
      'self.storage.storageClass == oldSelf.storage.storageClass',
      `isQuantity(self.storage.size) && quantity(self.storage.size).isGreaterThan(quantity('1Gi'))`,
      `quantity(self.storage.size).sub(quantity(self.walStorage.size)).isGreaterThan(quantity('0'))`,
      `self.imageName.split(':').size() == 2`,
      `self.imageName.matches('^[^:]+:[0-9]+(\\\\.[0-9]+)*(-[a-z]+)?$')`,
      `int(self.imageName.split(':')[1].split('.')[0]) >= int(oldSelf.imageName.split(':')[1].split('.')[0])`,
      `int(self.imageName.split(':')[9]) > 1`,
      `self.resources.limits.all(k, k in self.resources.requests)`,
      `type(self.resources.limits.cpu) == int ? self.resources.limits.cpu > 1 : quantity(self.resources.limits.cpu).isGreaterThan(quantity('1'))`,
      `quantity(string(self.resources.limits['cpu'])).isGreaterThan(quantity(self.resources.requests['cpu']))`,
      `quantity(self.resources.limits['cpu']).sign() == 1`,
      `self.parameters.all(k, k.matches('^[a-z_][a-z0-9_.]*$'))`,
      `!self.parameters.exists(k, k in ['port', 'listen_addresses'])`,
      `int(self.parameters['max_connections']) <= 1000`,
      `int(self.parameters['shared_buffers']) <= 1000`,
      `self.podCIDRs.all(c, isCIDR(c) && cidr(c).masked() == cidr(c))`,
      `self.podCIDRs.exists(c, cidr(c).containsIP(self.serviceIP))`,
      `self.podCIDRs.all(c, cidr('10.0.0.0/8').containsCIDR(c))`,
      `self.podCIDRs.map(c, cidr(c).prefixLength()).sum() == 32`,
      `!ip(self.serviceIP).isLoopback() && ip(self.serviceIP).isGlobalUnicast()`,
      `self.schedule.split(' ').size() == 5`,
      `self.schedule.find('^[0-9]+') == '0'`,
      `self.schedule.findAll('[0-9]+').map(n, int(n)).all(n, n < 60)`,
      `isURL(self.endpoint) && url(self.endpoint).getScheme() == 'https'`,
      `url(self.endpoint).getQuery()['region'] == ['eu']`,
      `url(self.endpoint).getPort() == '9000' && url(self.endpoint).getEscapedPath() == '/bucket'`,
      `url(self.schedule).getHost() == ''`,
      `self.transformMap(k, v, v)['instances'] == 3`,
    ],
  ),
];
