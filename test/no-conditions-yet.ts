/**
 * The error of `kubectl wait --for=condition=…` for `conditions: null`, which a CustomResourceDefinition has from its
 * creation until a controller writes its status. kubectl ends with it, in front of kube-apiserver as well, so a test that
 * waits right after the creation asks again.
 */
export const NO_CONDITIONS_YET = '.status.conditions accessor error: <nil> is of the type <nil>';
