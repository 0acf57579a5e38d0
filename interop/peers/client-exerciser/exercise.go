package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// exercise is one kind on its way through all steps. The first error that no server gave stops it.
type exercise[T object, L runtime.Object] struct {
	kind[T, L]
	ctx context.Context
	out *reporter
	err error
}

// exerciseKind takes a kind through all steps.
func exerciseKind[T object, L runtime.Object](ctx context.Context, out *reporter, k kind[T, L]) error {
	e := &exercise[T, L]{kind: k, ctx: ctx, out: out}
	for _, part := range []func(){e.creates, e.reads, e.updates, e.patches, e.applies, e.watches, e.deletes} {
		if part(); e.err != nil {
			return fmt.Errorf("%s: %w", k.name, e.err)
		}
	}
	return nil
}

func (e *exercise[T, L]) tell(step string, seen any, err error) {
	if e.err == nil {
		e.err = e.out.tell(e.name+": "+step, seen, err)
	}
}

func (e *exercise[T, L]) tellObject(step string, seen T, err error) {
	if err != nil {
		e.tell(step, nil, err)
		return
	}
	described, err := e.out.describe(seen)
	e.tell(step, described, err)
}

func (e *exercise[T, L]) creates() {
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		made, err := e.client.Create(e.ctx, e.make(name, "first"), metav1.CreateOptions{})
		e.tellObject("create "+name, made, err)
	}
	made, err := e.client.Create(e.ctx, e.make("a", "first"), metav1.CreateOptions{})
	e.tellObject("create again", made, err)
	made, err = e.client.Create(e.ctx, e.make(e.wrongName, "first"), metav1.CreateOptions{})
	e.tellObject("create with a wrong name", made, err)
	dry := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
	made, err = e.client.Create(e.ctx, e.make("dry", "first"), dry)
	e.tellObject("create without doing it", made, err)
	made, err = e.client.Create(e.ctx, e.make("dry", "first"), metav1.CreateOptions{DryRun: []string{"Some"}})
	e.tellObject("create with a wrong dryRun", made, err)
	strict := metav1.CreateOptions{FieldManager: strings.Repeat("m", 200)}
	made, err = e.client.Create(e.ctx, e.make("long", "first"), strict)
	e.tellObject("create with a manager of too long a name", made, err)
}

func (e *exercise[T, L]) reads() {
	found, err := e.client.Get(e.ctx, "a", metav1.GetOptions{})
	e.tellObject("get", found, err)
	found, err = e.client.Get(e.ctx, "missing", metav1.GetOptions{})
	e.tellObject("get what is missing", found, err)

	options := metav1.ListOptions{LabelSelector: labelText, Limit: 2}
	for page := 1; e.err == nil; page++ {
		list, err := e.client.List(e.ctx, options)
		next := e.tellList(fmt.Sprintf("list page %d", page), list, err)
		if next == "" {
			break
		}
		options.Continue = next
	}
	list, err := e.client.List(e.ctx, metav1.ListOptions{LabelSelector: labelKey + " notin (ours)," + labelKey})
	e.tellList("list with a selector that nothing matches", list, err)
	list, err = e.client.List(e.ctx, metav1.ListOptions{FieldSelector: "metadata.name=b"})
	e.tellList("list one by its name", list, err)
	list, err = e.client.List(e.ctx, metav1.ListOptions{LabelSelector: labelText, ResourceVersion: "0"})
	e.tellList("list of any age", list, err)
	list, err = e.client.List(e.ctx, metav1.ListOptions{Continue: "nonsense"})
	e.tellList("list with a wrong continue", list, err)
	list, err = e.client.List(e.ctx, metav1.ListOptions{LabelSelector: "=="})
	e.tellList("list with a wrong selector", list, err)
}

// tellList gives the token of the next page.
func (e *exercise[T, L]) tellList(step string, list L, err error) string {
	if err != nil {
		e.tell(step, nil, err)
		return ""
	}
	names, err := namesOf(list)
	if err != nil {
		e.tell(step, nil, err)
		return ""
	}
	accessor, err := meta.ListAccessor(list)
	if err != nil {
		e.tell(step, nil, err)
		return ""
	}
	e.tell(step, map[string]any{
		"names":     names,
		"remaining": accessor.GetRemainingItemCount(),
		"more":      accessor.GetContinue() != "",
		"versioned": accessor.GetResourceVersion() != "",
	}, nil)
	return accessor.GetContinue()
}

func namesOf(list runtime.Object) ([]string, error) {
	items, err := meta.ExtractList(list)
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, item := range items {
		accessor, err := meta.Accessor(item)
		if err != nil {
			return nil, err
		}
		names = append(names, accessor.GetName())
	}
	return names, nil
}

func (e *exercise[T, L]) updates() {
	stale, err := e.client.Get(e.ctx, "a", metav1.GetOptions{})
	if err != nil {
		e.err = err
		return
	}
	changed := stale.DeepCopyObject().(T)
	e.set(changed, "second")
	updated, err := e.client.Update(e.ctx, changed, metav1.UpdateOptions{})
	e.tellObject("update", updated, err)
	e.set(stale, "third")
	updated, err = e.client.Update(e.ctx, stale, metav1.UpdateOptions{})
	e.tellObject("update what has changed meanwhile", updated, err)
	missing := e.make("missing", "first")
	updated, err = e.client.Update(e.ctx, missing, metav1.UpdateOptions{})
	e.tellObject("update what is missing", updated, err)
}

func (e *exercise[T, L]) patches() {
	patch := func(step string, how types.PatchType, body string) {
		patched, err := e.client.Patch(e.ctx, "b", how, []byte(body), metav1.PatchOptions{})
		e.tellObject(step, patched, err)
	}
	operations := func(expected, wanted string) string {
		return fmt.Sprintf(`[{"op":"test","path":%q,"value":%s},{"op":"replace","path":%q,"value":%s}]`,
			e.pointer, e.encode(expected), e.pointer, e.encode(wanted))
	}
	patch("json patch", types.JSONPatchType, operations("first", "json"))
	patch("json patch whose test fails", types.JSONPatchType, operations("other", "never"))
	patch("json patch that is none", types.JSONPatchType, `{"op":"test"}`)
	patch("merge patch", types.MergePatchType, e.merge("merge"))
	patch("merge patch of an old version", types.MergePatchType, `{"metadata":{"resourceVersion":"1"}}`)
	patch("merge patch that removes a label", types.MergePatchType,
		fmt.Sprintf(`{"metadata":{"labels":{%q:null,"kept":"yes"}}}`, labelKey))
	patch("strategic patch", types.StrategicMergePatchType, e.merge("strategic"))
	patch("strategic patch that adds a finalizer", types.StrategicMergePatchType,
		`{"metadata":{"finalizers":["example.com/one"]}}`)
	patch("strategic patch that adds another", types.StrategicMergePatchType,
		`{"metadata":{"finalizers":["example.com/two"]}}`)
	patch("strategic patch that removes the first", types.StrategicMergePatchType,
		`{"metadata":{"$deleteFromPrimitiveList/finalizers":["example.com/one"]}}`)
	patch("merge patch that removes all and labels again", types.MergePatchType,
		fmt.Sprintf(`{"metadata":{"finalizers":null,"labels":{%q:"ours"}}}`, labelKey))
	patched, err := e.client.Patch(e.ctx, "missing", types.MergePatchType, []byte(`{}`), metav1.PatchOptions{})
	e.tellObject("patch what is missing", patched, err)
}

func (e *exercise[T, L]) applies() {
	apply := func(step, value, manager string, force bool) {
		options := metav1.ApplyOptions{FieldManager: manager, Force: force}
		result, err := e.apply(e.ctx, applied{name: "applied", value: value, options: options})
		e.tellObject(step, result, err)
	}
	apply("apply what is new", "one", "first", false)
	apply("apply the same again", "one", "first", false)
	apply("apply another value", "two", "first", false)
	apply("apply against another manager", "three", "second", false)
	apply("apply against another manager by force", "three", "second", true)
	apply("apply as nobody", "four", "", false)
}

// watchEvents is how many events a watch has to see.
const watchEvents = 4

func (e *exercise[T, L]) watches() {
	list, err := e.client.List(e.ctx, metav1.ListOptions{LabelSelector: labelText})
	if err != nil {
		e.err = err
		return
	}
	accessor, err := meta.ListAccessor(list)
	if err != nil {
		e.err = err
		return
	}
	options := metav1.ListOptions{LabelSelector: labelText, ResourceVersion: accessor.GetResourceVersion()}
	watcher, err := e.client.Watch(e.ctx, options)
	if err != nil {
		e.err = err
		return
	}
	defer watcher.Stop()
	made, err := e.client.Create(e.ctx, e.make("seen", "first"), metav1.CreateOptions{})
	e.tellObject("create for a watch", made, err)
	if err == nil {
		e.set(made, "second")
		made, err = e.client.Update(e.ctx, made, metav1.UpdateOptions{})
		e.tellObject("update for a watch", made, err)
	}
	for _, labels := range []string{"null", `"ours"`} {
		body := fmt.Sprintf(`{"metadata":{"labels":{%q:%s}}}`, labelKey, labels)
		_, err = e.client.Patch(e.ctx, "seen", types.MergePatchType, []byte(body), metav1.PatchOptions{})
		e.tell("label "+labels+" for a watch", nil, err)
	}
	e.tellEvents("watch", watcher, watchEvents)
	e.watchesFromTheStart()
	options.ResourceVersion = "nonsense"
	if watcher, err := e.client.Watch(e.ctx, options); err != nil {
		e.tell("watch from a wrong version", nil, err)
	} else {
		e.tellEvents("watch from a wrong version", watcher, 1)
		watcher.Stop()
	}
}

// watchesFromTheStart asks for everything there is, and for a bookmark after it.
func (e *exercise[T, L]) watchesFromTheStart() {
	list, err := e.client.List(e.ctx, metav1.ListOptions{LabelSelector: labelText})
	if err != nil {
		e.err = err
		return
	}
	names, err := namesOf(list)
	if err != nil {
		e.err = err
		return
	}
	initial := true
	watcher, err := e.client.Watch(e.ctx, metav1.ListOptions{
		LabelSelector:        labelText,
		SendInitialEvents:    &initial,
		AllowWatchBookmarks:  true,
		ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
	})
	if err != nil {
		e.tell("watch from the start", nil, err)
		return
	}
	defer watcher.Stop()
	e.tellEvents("watch from the start", watcher, len(names)+1)
}

func (e *exercise[T, L]) tellEvents(step string, watcher watch.Interface, count int) {
	seen := []any{}
	for len(seen) < count {
		select {
		case event, open := <-watcher.ResultChan():
			if !open {
				e.tell(step, append(seen, "end"), nil)
				return
			}
			seen = append(seen, e.describeEvent(event))
		case <-e.ctx.Done():
			e.err = fmt.Errorf("%s: %d of %d events: %w", step, len(seen), count, e.ctx.Err())
			return
		}
	}
	e.tell(step, seen, nil)
}

func (e *exercise[T, L]) describeEvent(event watch.Event) map[string]any {
	told := map[string]any{"type": event.Type}
	switch seen := event.Object.(type) {
	case *metav1.Status:
		told["code"], told["reason"], told["message"] = seen.Code, seen.Reason, seen.Message
	case T:
		if event.Type == watch.Bookmark {
			told["annotations"] = seen.GetAnnotations()
			break
		}
		described, err := e.out.describe(seen)
		if err != nil {
			e.err = err
		}
		told["object"] = described
	}
	return told
}

func (e *exercise[T, L]) deletes() {
	current, err := e.client.Get(e.ctx, "c", metav1.GetOptions{})
	if err != nil {
		e.err = err
		return
	}
	e.out.hide(string(current.GetUID()), current.GetResourceVersion())
	defer e.out.hide()
	other := types.UID("00000000-0000-0000-0000-000000000000")
	wrong := metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &other}}
	e.tell("delete another one of the name", nil, e.client.Delete(e.ctx, "c", wrong))
	version := "1"
	wrong = metav1.DeleteOptions{Preconditions: &metav1.Preconditions{ResourceVersion: &version}}
	e.tell("delete another version", nil, e.client.Delete(e.ctx, "c", wrong))
	policy := metav1.DeletionPropagation("Somehow")
	wrong = metav1.DeleteOptions{PropagationPolicy: &policy}
	e.tell("delete with a wrong policy", nil, e.client.Delete(e.ctx, "c", wrong))
	e.tell("delete", nil, e.client.Delete(e.ctx, "c", metav1.DeleteOptions{}))
	left, err := e.client.Get(e.ctx, "c", metav1.GetOptions{})
	e.tellObject("get what was deleted", left, err)
	e.tell("delete what is missing", nil, e.client.Delete(e.ctx, "missing", metav1.DeleteOptions{}))
	if collection, able := e.client.(collectionDeleter); able {
		some := metav1.ListOptions{LabelSelector: labelText, FieldSelector: "metadata.name!=d"}
		e.tell("delete all but one", nil, collection.DeleteCollection(e.ctx, metav1.DeleteOptions{}, some))
		e.tellLeft("list what is left")
		all := metav1.ListOptions{LabelSelector: labelText}
		e.tell("delete all", nil, collection.DeleteCollection(e.ctx, metav1.DeleteOptions{}, all))
	}
	e.tellLeft("list at the end")
}

func (e *exercise[T, L]) tellLeft(step string) {
	list, err := e.client.List(e.ctx, metav1.ListOptions{LabelSelector: labelText})
	if err != nil {
		e.tell(step, nil, err)
		return
	}
	names, err := namesOf(list)
	slices.Sort(names)
	e.tell(step, names, err)
}
