package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

type object interface {
	runtime.Object
	metav1.Object
}

// client is what the typed clients of all kinds have in common.
type client[T object, L runtime.Object] interface {
	Create(context.Context, T, metav1.CreateOptions) (T, error)
	Update(context.Context, T, metav1.UpdateOptions) (T, error)
	Delete(context.Context, string, metav1.DeleteOptions) error
	Get(context.Context, string, metav1.GetOptions) (T, error)
	List(context.Context, metav1.ListOptions) (L, error)
	Watch(context.Context, metav1.ListOptions) (watch.Interface, error)
	Patch(context.Context, string, types.PatchType, []byte, metav1.PatchOptions, ...string) (T, error)
}

// collectionDeleter is what the client of namespaces lacks.
type collectionDeleter interface {
	DeleteCollection(context.Context, metav1.DeleteOptions, metav1.ListOptions) error
}

// applied is one application of a configuration.
type applied struct {
	name, value string
	options     metav1.ApplyOptions
}

// kind is what must be known of a kind to exercise it. Each has one field whose value is changed.
type kind[T object, L runtime.Object] struct {
	name   string
	client client[T, L]
	// new makes an object, without what all of them get.
	new func(value string) T
	set func(object T, value string)
	// pointer of the field, and its value in JSON.
	pointer string
	encode  func(value string) string
	// merge is a body that sets the field, for a merge patch and for a strategic one.
	merge     func(value string) string
	apply     func(context.Context, applied) (T, error)
	wrongName string
}

// notAName is none for most kinds; notASegment is none for those whose names need only fit into a path.
const (
	notAName    = "Not A Name"
	notASegment = "not%2Fone"
)

// What everything that is made here is labelled with.
const (
	labelKey  = "exercise.example.com/set"
	labelText = labelKey + "=ours"
)

func (k kind[T, L]) make(name, value string) T {
	made := k.new(value)
	made.SetName(name)
	labels := made.GetLabels()
	if labels == nil {
		labels = map[string]string{}
	}
	labels[labelKey] = "ours"
	made.SetLabels(labels)
	return made
}
