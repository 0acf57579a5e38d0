/** Tokens of users. Each is a Secret, which has everything but the token itself: that is shown once. */
import { createHash, randomBytes } from 'node:crypto';
import type { ObjectMeta } from '@tributary/apimachinery';
import Type from 'typebox';
import { type ApiDefinition, defineApi, defineResource, version } from '../../src/index.ts';
import {
  type ProjectionSource,
  packMetadata,
  projection,
  unpackMetadata,
} from '../../src/projection/index.ts';

export interface Secret {
  readonly metadata: ObjectMeta;
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

const KIND_LABEL = 'tomlebreux.com/kind';
const METADATA = 'tomlebreux.com/metadata';

const v1alpha1 = version({
  description: 'Lets a user in, for a while.',
  spec: Type.Object({
    userID: Type.String({ minLength: 1 }),
    ttlSeconds: Type.Integer({ minimum: 0, default: 86_400 }),
    enabled: Type.Boolean({ default: true }),
  }),
  status: Type.Object({
    hash: Type.String(),
    plaintextToken: Type.Optional(Type.String({ description: 'Only in the answer to a create.' })),
  }),
  columns: [
    { name: 'User', cell: ({ spec }) => spec.userID },
    { name: 'Enabled', type: 'boolean', cell: ({ spec }) => spec.enabled },
  ],
  selectableFields: ['spec.userID'],
  prepareForCreate: (token) => {
    const plaintextToken = randomBytes(32).toString('base64url');
    token.status = { hash: hashOf(plaintextToken), plaintextToken };
  },
});

export function rancherTokens(secrets: ProjectionSource<Secret>): ApiDefinition {
  const RancherToken = defineResource({
    kind: 'RancherToken',
    plural: 'ranchertokens',
    scope: 'Namespaced',
    versions: { v1alpha1 },
    backing: projection({
      version: v1alpha1,
      source: secrets,
      toObject: ({ metadata, data = {} }) => {
        if (metadata.labels?.[KIND_LABEL] !== 'RancherToken') return undefined;
        const { uid, creationTimestamp, name, namespace } = metadata;
        return {
          metadata: {
            // For a Secret that was created by hand.
            ...(uid !== undefined && { uid }),
            ...(creationTimestamp !== undefined && { creationTimestamp }),
            ...unpackMetadata(metadata.annotations?.[METADATA]),
            ...(name !== undefined && { name }),
            ...(namespace !== undefined && { namespace }),
          },
          spec: {
            userID: text(data.userID),
            ttlSeconds: Number(text(data.ttlSeconds)),
            enabled: text(data.enabled) !== 'false',
          },
          status: { hash: text(data.hash) },
        };
      },
      toItem: ({ metadata, spec, status }, previous) => {
        const { name = '', namespace = '' } = metadata;
        return {
          type: 'tomlebreux.com/token',
          ...previous,
          metadata: {
            ...previous?.metadata,
            name,
            namespace,
            labels: { ...previous?.metadata.labels, [KIND_LABEL]: 'RancherToken' },
            annotations: {
              ...previous?.metadata.annotations,
              [METADATA]: packMetadata(metadata),
            },
          },
          data: {
            ...previous?.data,
            userID: base64(spec.userID),
            ttlSeconds: base64(String(spec.ttlSeconds)),
            enabled: base64(String(spec.enabled)),
            hash: base64(status?.hash ?? ''),
          },
        };
      },
    }),
  });
  return defineApi({ group: 'tomlebreux.com', resources: [RancherToken] });
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function base64(value: string): string {
  return Buffer.from(value).toString('base64');
}

function text(value: string | undefined): string {
  return Buffer.from(value ?? '', 'base64').toString();
}
