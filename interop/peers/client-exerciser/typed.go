package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	applycoordination "k8s.io/client-go/applyconfigurations/coordination/v1"
	applycore "k8s.io/client-go/applyconfigurations/core/v1"
	applyrbac "k8s.io/client-go/applyconfigurations/rbac/v1"
	"k8s.io/client-go/kubernetes"
)

func exerciseTyped(ctx context.Context, out *reporter, clients kubernetes.Interface, namespace string) error {
	exercises := []func() error{
		func() error { return exerciseKind(ctx, out, configMaps(clients, namespace)) },
		func() error { return exerciseKind(ctx, out, secrets(clients, namespace)) },
		func() error { return exerciseKind(ctx, out, namespaces(clients)) },
		func() error { return exerciseKind(ctx, out, roles(clients, namespace)) },
		func() error { return exerciseKind(ctx, out, roleBindings(clients, namespace)) },
		func() error { return exerciseKind(ctx, out, clusterRoles(clients)) },
		func() error { return exerciseKind(ctx, out, clusterRoleBindings(clients)) },
		func() error { return exerciseKind(ctx, out, leases(clients, namespace)) },
	}
	for _, exercise := range exercises {
		if err := exercise(); err != nil {
			return err
		}
	}
	return inNoNamespace(ctx, out, clients)
}

// inNoNamespace asks for a namespace that is not there.
func inNoNamespace(ctx context.Context, out *reporter, clients kubernetes.Interface) error {
	absent := configMaps(clients, "absent")
	_, err := absent.client.Create(ctx, absent.make("a", "first"), metav1.CreateOptions{})
	if err := out.tell("configmaps: create in no namespace", nil, err); err != nil {
		return err
	}
	list, err := absent.client.List(ctx, metav1.ListOptions{})
	return out.tell("configmaps: list in no namespace", list.Items, err)
}

func configMaps(clients kubernetes.Interface, namespace string) kind[*corev1.ConfigMap, *corev1.ConfigMapList] {
	client := clients.CoreV1().ConfigMaps(namespace)
	return kind[*corev1.ConfigMap, *corev1.ConfigMapList]{
		name:   "configmaps",
		client: client,
		new: func(value string) *corev1.ConfigMap {
			return &corev1.ConfigMap{Data: map[string]string{"key": value, "other": "stays"}}
		},
		set:       func(object *corev1.ConfigMap, value string) { object.Data["key"] = value },
		pointer:   "/data/key",
		encode:    strconv.Quote,
		merge:     func(value string) string { return fmt.Sprintf(`{"data":{"key":%q}}`, value) },
		wrongName: notAName,
		apply: func(ctx context.Context, wanted applied) (*corev1.ConfigMap, error) {
			configuration := applycore.ConfigMap(wanted.name, namespace).
				WithLabels(map[string]string{labelKey: "ours"}).WithData(map[string]string{"key": wanted.value})
			return client.Apply(ctx, configuration, wanted.options)
		},
	}
}

func secrets(clients kubernetes.Interface, namespace string) kind[*corev1.Secret, *corev1.SecretList] {
	client := clients.CoreV1().Secrets(namespace)
	encode := func(value string) string {
		return strconv.Quote(base64.StdEncoding.EncodeToString([]byte(value)))
	}
	return kind[*corev1.Secret, *corev1.SecretList]{
		name:   "secrets",
		client: client,
		new: func(value string) *corev1.Secret {
			return &corev1.Secret{StringData: map[string]string{"key": value, "other": "stays"}}
		},
		set:       func(object *corev1.Secret, value string) { object.Data["key"] = []byte(value) },
		pointer:   "/data/key",
		encode:    encode,
		merge:     func(value string) string { return fmt.Sprintf(`{"data":{"key":%s}}`, encode(value)) },
		wrongName: notAName,
		apply: func(ctx context.Context, wanted applied) (*corev1.Secret, error) {
			configuration := applycore.Secret(wanted.name, namespace).
				WithLabels(map[string]string{labelKey: "ours"}).WithData(map[string][]byte{"key": []byte(wanted.value)})
			return client.Apply(ctx, configuration, wanted.options)
		},
	}
}

func namespaces(clients kubernetes.Interface) kind[*corev1.Namespace, *corev1.NamespaceList] {
	client := clients.CoreV1().Namespaces()
	return kind[*corev1.Namespace, *corev1.NamespaceList]{
		name:   "namespaces",
		client: client,
		new: func(value string) *corev1.Namespace {
			return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"value": value}}}
		},
		set:       func(object *corev1.Namespace, value string) { object.Labels["value"] = value },
		pointer:   "/metadata/labels/value",
		encode:    strconv.Quote,
		merge:     func(value string) string { return fmt.Sprintf(`{"metadata":{"labels":{"value":%q}}}`, value) },
		wrongName: notAName,
		apply: func(ctx context.Context, wanted applied) (*corev1.Namespace, error) {
			labels := map[string]string{labelKey: "ours", "value": wanted.value}
			return client.Apply(ctx, applycore.Namespace(wanted.name).WithLabels(labels), wanted.options)
		},
	}
}

func leases(clients kubernetes.Interface, namespace string) kind[*coordinationv1.Lease, *coordinationv1.LeaseList] {
	client := clients.CoordinationV1().Leases(namespace)
	return kind[*coordinationv1.Lease, *coordinationv1.LeaseList]{
		name:   "leases",
		client: client,
		new: func(value string) *coordinationv1.Lease {
			seconds := int32(15)
			return &coordinationv1.Lease{
				Spec: coordinationv1.LeaseSpec{HolderIdentity: &value, LeaseDurationSeconds: &seconds},
			}
		},
		set:       func(object *coordinationv1.Lease, value string) { object.Spec.HolderIdentity = &value },
		pointer:   "/spec/holderIdentity",
		encode:    strconv.Quote,
		merge:     func(value string) string { return fmt.Sprintf(`{"spec":{"holderIdentity":%q}}`, value) },
		wrongName: notAName,
		apply: func(ctx context.Context, wanted applied) (*coordinationv1.Lease, error) {
			configuration := applycoordination.Lease(wanted.name, namespace).
				WithLabels(map[string]string{labelKey: "ours"}).
				WithSpec(applycoordination.LeaseSpec().WithHolderIdentity(wanted.value).WithLeaseDurationSeconds(15))
			return client.Apply(ctx, configuration, wanted.options)
		},
	}
}

// rulesOf has one rule, whose resource is the value.
func rulesOf(value string) []rbacv1.PolicyRule {
	return []rbacv1.PolicyRule{{APIGroups: []string{"example.com"}, Resources: []string{value}, Verbs: []string{"get"}}}
}

func mergedRules(value string) string {
	return fmt.Sprintf(`{"rules":[{"apiGroups":["example.com"],"resources":[%q],"verbs":["get"]}]}`, value)
}

func appliedRules(value string) *applyrbac.PolicyRuleApplyConfiguration {
	return applyrbac.PolicyRule().WithAPIGroups("example.com").WithResources(value).WithVerbs("get")
}

func roles(clients kubernetes.Interface, namespace string) kind[*rbacv1.Role, *rbacv1.RoleList] {
	client := clients.RbacV1().Roles(namespace)
	return kind[*rbacv1.Role, *rbacv1.RoleList]{
		name:    "roles",
		client:  client,
		new:     func(value string) *rbacv1.Role { return &rbacv1.Role{Rules: rulesOf(value)} },
		set:     func(object *rbacv1.Role, value string) { object.Rules = rulesOf(value) },
		pointer: "/rules/0/resources/0",
		encode:  strconv.Quote,
		merge:   mergedRules,
		apply: func(ctx context.Context, wanted applied) (*rbacv1.Role, error) {
			configuration := applyrbac.Role(wanted.name, namespace).
				WithLabels(map[string]string{labelKey: "ours"}).WithRules(appliedRules(wanted.value))
			return client.Apply(ctx, configuration, wanted.options)
		},
		wrongName: notASegment,
	}
}

func clusterRoles(clients kubernetes.Interface) kind[*rbacv1.ClusterRole, *rbacv1.ClusterRoleList] {
	client := clients.RbacV1().ClusterRoles()
	return kind[*rbacv1.ClusterRole, *rbacv1.ClusterRoleList]{
		name:    "clusterroles",
		client:  client,
		new:     func(value string) *rbacv1.ClusterRole { return &rbacv1.ClusterRole{Rules: rulesOf(value)} },
		set:     func(object *rbacv1.ClusterRole, value string) { object.Rules = rulesOf(value) },
		pointer: "/rules/0/resources/0",
		encode:  strconv.Quote,
		merge:   mergedRules,
		apply: func(ctx context.Context, wanted applied) (*rbacv1.ClusterRole, error) {
			configuration := applyrbac.ClusterRole(wanted.name).
				WithLabels(map[string]string{labelKey: "ours"}).WithRules(appliedRules(wanted.value))
			return client.Apply(ctx, configuration, wanted.options)
		},
		wrongName: notASegment,
	}
}

func subjectsOf(value string) []rbacv1.Subject {
	return []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: value}}
}

func mergedSubjects(value string) string {
	return fmt.Sprintf(`{"subjects":[{"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":%q}]}`, value)
}

func appliedSubjects(value string) *applyrbac.SubjectApplyConfiguration {
	return applyrbac.Subject().WithKind(rbacv1.UserKind).WithAPIGroup(rbacv1.GroupName).WithName(value)
}

// view is a role that every cluster has.
var view = rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "view"}

func appliedView() *applyrbac.RoleRefApplyConfiguration {
	return applyrbac.RoleRef().WithAPIGroup(view.APIGroup).WithKind(view.Kind).WithName(view.Name)
}

func roleBindings(clients kubernetes.Interface, namespace string) kind[*rbacv1.RoleBinding, *rbacv1.RoleBindingList] {
	client := clients.RbacV1().RoleBindings(namespace)
	return kind[*rbacv1.RoleBinding, *rbacv1.RoleBindingList]{
		name:   "rolebindings",
		client: client,
		new: func(value string) *rbacv1.RoleBinding {
			return &rbacv1.RoleBinding{Subjects: subjectsOf(value), RoleRef: view}
		},
		set:     func(object *rbacv1.RoleBinding, value string) { object.Subjects = subjectsOf(value) },
		pointer: "/subjects/0/name",
		encode:  strconv.Quote,
		merge:   mergedSubjects,
		apply: func(ctx context.Context, wanted applied) (*rbacv1.RoleBinding, error) {
			configuration := applyrbac.RoleBinding(wanted.name, namespace).
				WithLabels(map[string]string{labelKey: "ours"}).
				WithSubjects(appliedSubjects(wanted.value)).WithRoleRef(appliedView())
			return client.Apply(ctx, configuration, wanted.options)
		},
		wrongName: notASegment,
	}
}

func clusterRoleBindings(clients kubernetes.Interface) kind[*rbacv1.ClusterRoleBinding, *rbacv1.ClusterRoleBindingList] {
	client := clients.RbacV1().ClusterRoleBindings()
	return kind[*rbacv1.ClusterRoleBinding, *rbacv1.ClusterRoleBindingList]{
		name:   "clusterrolebindings",
		client: client,
		new: func(value string) *rbacv1.ClusterRoleBinding {
			return &rbacv1.ClusterRoleBinding{Subjects: subjectsOf(value), RoleRef: view}
		},
		set:     func(object *rbacv1.ClusterRoleBinding, value string) { object.Subjects = subjectsOf(value) },
		pointer: "/subjects/0/name",
		encode:  strconv.Quote,
		merge:   mergedSubjects,
		apply: func(ctx context.Context, wanted applied) (*rbacv1.ClusterRoleBinding, error) {
			configuration := applyrbac.ClusterRoleBinding(wanted.name).
				WithLabels(map[string]string{labelKey: "ours"}).
				WithSubjects(appliedSubjects(wanted.value)).WithRoleRef(appliedView())
			return client.Apply(ctx, configuration, wanted.options)
		},
		wrongName: notASegment,
	}
}
