import { TokenRequest } from '@tributary/api/authentication-v1';
import { ServiceAccount } from '@tributary/api/core-v1';
import { type FieldError, validateDnsSubdomainName } from '@tributary/apimachinery';
import { ageColumn, defineResource, nameColumn, version } from '@tributary/server/definition';
import { metadataErrors, metadataUpdateErrors } from '../../shared/object-metadata.ts';

export interface TokenWish {
  readonly serviceAccount: ServiceAccount;
  /** As it was sent. */
  readonly request: TokenRequest;
  /** Tells the client something beside the answer. */
  readonly warn?: (text: string) => void;
  /** Writes something into the audit log. */
  readonly annotate?: (key: string, value: string) => void;
}

export interface ServiceAccountParts {
  /** Answers the request, completed, with a token in its status; what it throws as a StatusError is answered. */
  readonly requestToken: (wish: TokenWish) => Promise<TokenRequest>;
}

const MOUNTABLE_SECRETS = 'kubernetes.io/enforce-mountable-secrets';

/** How long a token lives when nobody says. */
const TOKEN_SECONDS = 3600;

export function serviceAccountKind({ requestToken }: ServiceAccountParts) {
  return defineResource({
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    shortNames: ['sa'],
    scope: 'Namespaced',
    tracksGeneration: false,
    allowUnconditionalUpdate: true,
    returnsDeletedObject: true,
    subresources: {
      actions: {
        token: {
          kind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
          typed: TokenRequest,
          applyDefaults: (request) => {
            (request as TokenRequest).spec.expirationSeconds ??= TOKEN_SECONDS;
          },
          run: ({ object, body, warn, annotate }) =>
            requestToken({
              serviceAccount: object,
              request: body as TokenRequest,
              warn,
              annotate,
            }),
        },
      },
    },
    versions: {
      v1: version({
        typed: ServiceAccount,
        // All of them: without any, a time would be shown instead of an age.
        columns: [nameColumn, ageColumn],
        prepareForCreate: keepSecretNames,
        prepareForUpdate: keepSecretNames,
        validate: validateServiceAccount,
        validateUpdate: (next, live) => [
          ...metadataUpdateErrors(next, live),
          ...validateServiceAccount(next),
        ],
        warnings: (account, live) =>
          isRestricted(account) && !(live && isRestricted(live))
            ? [
                `metadata.annotations[${MOUNTABLE_SECRETS}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
              ]
            : [],
      }),
    },
  });
}

/** Secrets are those of the same namespace: nothing else of a reference counts. */
function keepSecretNames(account: ServiceAccount): void {
  if (account.secrets === undefined) return;
  account.secrets = account.secrets.map(({ name }) => (name ? { name } : {}));
}

function isRestricted({ metadata }: ServiceAccount): boolean {
  return Object.hasOwn(metadata.annotations ?? {}, MOUNTABLE_SECRETS);
}

export function validateServiceAccount(account: ServiceAccount): FieldError[] {
  return metadataErrors(account, { namespaced: true, validateName: validateDnsSubdomainName });
}
