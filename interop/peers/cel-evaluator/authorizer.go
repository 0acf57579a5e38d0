package main

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// decider allows get and list, fails for fail, and tells what it was asked.
type decider struct{}

func (decider) Authorize(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	reason := describe(a)
	switch a.GetVerb() {
	case "get", "list":
		return authorizer.DecisionAllow, reason, nil
	case "fail":
		return authorizer.DecisionNoOpinion, reason, errors.New("cannot decide")
	default:
		return authorizer.DecisionDeny, reason, nil
	}
}

func describe(a authorizer.Attributes) string {
	who := fmt.Sprintf("user=%s groups=%v", a.GetUser().GetName(), a.GetUser().GetGroups())
	if !a.IsResourceRequest() {
		return fmt.Sprintf("%s path=%s verb=%s", who, a.GetPath(), a.GetVerb())
	}
	fields, fieldsError := a.GetFieldSelector()
	labels, labelsError := a.GetLabelSelector()
	return fmt.Sprintf("%s verb=%s group=%s version=%s resource=%s sub=%s namespace=%s name=%s fields=%s labels=%s",
		who, a.GetVerb(), a.GetAPIGroup(), a.GetAPIVersion(), a.GetResource(), a.GetSubresource(), a.GetNamespace(), a.GetName(),
		counted(len(fields), fieldsError), counted(len(labels), labelsError))
}

// counted is how many requirements a selector has; what cannot be read has none.
func counted(count int, err error) string {
	if err != nil {
		return "unreadable"
	}
	return fmt.Sprint(count)
}

type requestResource struct{}

func (requestResource) GetName() string        { return "web" }
func (requestResource) GetNamespace() string   { return "shop" }
func (requestResource) GetSubresource() string { return "" }
func (requestResource) GetResource() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
}
