/** Steps that review permissions. */
import { groupOf } from '../core/kinds.ts';
import type { JsonObject } from '../differential/json.ts';
import type { Drafter } from './reads.ts';

const API = 'authorization.k8s.io/v1';
const VERBS = ['get', 'list', 'create', 'delete', 'deletecollection', 'escalate'] as const;

const attributes: (given: Parameters<Drafter>[0]) => JsonObject = ({ random, player }) => ({
  namespace: '{ns}',
  verb: random.pick(VERBS),
  group: groupOf(player.kind),
  resource: player.kind.plural,
  ...(random.chance(0.3) && { name: random.pick(['a', 'b']) }),
  ...(random.chance(0.2) && { subresource: random.pick(['status', 'scale']) }),
});

const ofMyself: Drafter = (given) => ({
  method: 'POST',
  path: `/apis/${API}/selfsubjectaccessreviews`,
  body: {
    apiVersion: API,
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: attributes(given) },
  },
});

const USERS: readonly JsonObject[] = [
  { user: 'alice' },
  { user: 'system:serviceaccount:{ns}:robot' },
  { user: 'somebody', groups: ['system:masters'] },
  { user: 'bob', groups: ['dev'] },
];

const ofSomebody: Drafter = (given) => ({
  method: 'POST',
  path: `/apis/${API}/subjectaccessreviews`,
  body: {
    apiVersion: API,
    kind: 'SubjectAccessReview',
    spec: { ...given.random.pick(USERS), resourceAttributes: attributes(given) },
  },
});

const whoAmI: Drafter = () => ({
  method: 'POST',
  path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
  body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
});

const rules: Drafter = () => ({
  method: 'POST',
  path: `/apis/${API}/selfsubjectrulesreviews`,
  body: { apiVersion: API, kind: 'SelfSubjectRulesReview', spec: { namespace: '{ns}' } },
  view: 'rules',
});

export const reviews: readonly Drafter[] = [ofMyself, ofSomebody, whoAmI, rules];
