package main

import (
	"context"
	"fmt"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
)

// dynamicClient has the methods of the dynamic client with the signatures of typed ones.
type dynamicClient struct {
	resource dynamic.ResourceInterface
}

func (c dynamicClient) Create(ctx context.Context, made *unstructured.Unstructured, options metav1.CreateOptions) (*unstructured.Unstructured, error) {
	return c.resource.Create(ctx, made, options)
}

func (c dynamicClient) Update(ctx context.Context, changed *unstructured.Unstructured, options metav1.UpdateOptions) (*unstructured.Unstructured, error) {
	return c.resource.Update(ctx, changed, options)
}

func (c dynamicClient) Delete(ctx context.Context, name string, options metav1.DeleteOptions) error {
	return c.resource.Delete(ctx, name, options)
}

func (c dynamicClient) DeleteCollection(ctx context.Context, options metav1.DeleteOptions, which metav1.ListOptions) error {
	return c.resource.DeleteCollection(ctx, options, which)
}

func (c dynamicClient) Get(ctx context.Context, name string, options metav1.GetOptions) (*unstructured.Unstructured, error) {
	return c.resource.Get(ctx, name, options)
}

func (c dynamicClient) List(ctx context.Context, options metav1.ListOptions) (*unstructured.UnstructuredList, error) {
	return c.resource.List(ctx, options)
}

func (c dynamicClient) Watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	return c.resource.Watch(ctx, options)
}

func (c dynamicClient) Patch(ctx context.Context, name string, how types.PatchType, body []byte, options metav1.PatchOptions, subresources ...string) (*unstructured.Unstructured, error) {
	return c.resource.Patch(ctx, name, how, body, options, subresources...)
}

const flunderGroup = "wardle.example.com"

// exerciseFlunders exercises both versions: each has its own name for the field.
func exerciseFlunders(ctx context.Context, out *reporter, client dynamic.Interface, namespace string) error {
	fields := map[string]string{"v1alpha1": "reference", "v1beta1": "flunderReference"}
	for _, version := range []string{"v1alpha1", "v1beta1"} {
		resource := schema.GroupVersionResource{Group: flunderGroup, Version: version, Resource: "flunders"}
		exercised := flunders(client.Resource(resource).Namespace(namespace), version, fields[version])
		if err := exerciseKind(ctx, out, exercised); err != nil {
			return err
		}
	}
	return nil
}

func flunders(resource dynamic.ResourceInterface, version, field string) kind[*unstructured.Unstructured, *unstructured.UnstructuredList] {
	make := func(value string) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": flunderGroup + "/" + version,
			"kind":       "Flunder",
			"spec":       map[string]any{field: value, "referenceType": "Flunder"},
		}}
	}
	return kind[*unstructured.Unstructured, *unstructured.UnstructuredList]{
		name:   "flunders " + version,
		client: dynamicClient{resource},
		new:    make,
		set: func(object *unstructured.Unstructured, value string) {
			object.Object["spec"].(map[string]any)[field] = value
		},
		pointer: "/spec/" + field,
		encode:  strconv.Quote,
		merge:   func(value string) string { return fmt.Sprintf(`{"spec":{%q:%q}}`, field, value) },
		apply: func(ctx context.Context, wanted applied) (*unstructured.Unstructured, error) {
			configuration := make(wanted.value)
			configuration.SetName(wanted.name)
			configuration.SetLabels(map[string]string{labelKey: "ours"})
			return resource.Apply(ctx, wanted.name, configuration, wanted.options)
		},
		wrongName: notASegment,
	}
}
