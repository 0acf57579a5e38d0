package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sort"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

type storeLine struct {
	Event string      `json:"event"`
	Items []storeItem `json:"items"`
}

type storeItem struct {
	Key             string `json:"key"`
	UID             string `json:"uid"`
	ResourceVersion string `json:"resourceVersion"`
	// Hash is over the content as JSON with sorted keys and without spaces.
	Hash string `json:"hash"`
}

func storeOf(store cache.Store) (storeLine, error) {
	line := storeLine{Event: "store", Items: []storeItem{}}
	for _, object := range store.List() {
		item, err := itemOf(object)
		if err != nil {
			return storeLine{}, err
		}
		line.Items = append(line.Items, item)
	}
	sort.Slice(line.Items, func(a, b int) bool { return line.Items[a].Key < line.Items[b].Key })
	return line, nil
}

func itemOf(object any) (storeItem, error) {
	var change changeLine
	var content map[string]any
	switch object := object.(type) {
	case *unstructured.Unstructured:
		change.describe(object)
		content = object.Object
	case *metav1.PartialObjectMetadata:
		change.describe(object)
		fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&object.ObjectMeta)
		if err != nil {
			return storeItem{}, err
		}
		// Only the metadata: as what such an object presents itself differs between lists and watches.
		content = map[string]any{"metadata": fields}
	default:
		return storeItem{}, fmt.Errorf("the store holds a %T", object)
	}
	hash, err := hashOf(content)
	return storeItem{
		Key:             change.Key,
		UID:             change.UID,
		ResourceVersion: change.ResourceVersion,
		Hash:            hash,
	}, err
}

func hashOf(content map[string]any) (string, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(content); err != nil {
		return "", err
	}
	sum := sha256.Sum256(bytes.TrimSuffix(text.Bytes(), []byte("\n")))
	return hex.EncodeToString(sum[:]), nil
}
