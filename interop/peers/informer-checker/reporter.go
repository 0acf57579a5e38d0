package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

type plainLine struct {
	Event string `json:"event"`
}

type startedLine struct {
	Event     string `json:"event"`
	WatchList bool   `json:"watchList"`
}

// requestLine is one request of the informer. Begins says whether it asks for the whole state.
type requestLine struct {
	Event             string `json:"event"`
	Begins            bool   `json:"begins"`
	SendInitialEvents bool   `json:"sendInitialEvents"`
}

// changeLine is one call of the handler.
type changeLine struct {
	Event             string `json:"event"`
	Key               string `json:"key"`
	Namespace         string `json:"namespace"`
	Name              string `json:"name"`
	UID               string `json:"uid"`
	ResourceVersion   string `json:"resourceVersion"`
	FinalStateUnknown bool   `json:"finalStateUnknown,omitempty"`
}

// complaintLine is a call that contradicts the calls before it.
type complaintLine struct {
	Event string `json:"event"`
	Text  string `json:"text"`
}

// known is what the handler was told of an object last.
type known struct {
	uid     string
	version uint64
}

// reporter prints lines, and remembers what the handler was told. Its methods may be called at the same time.
type reporter struct {
	mutex   sync.Mutex
	encoder *json.Encoder
	view    map[string]known
}

func newReporter(out io.Writer) *reporter {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return &reporter{encoder: encoder, view: map[string]known{}}
}

func (r *reporter) print(line any) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.printLocked(line)
}

func (r *reporter) printLocked(line any) {
	if err := r.encoder.Encode(line); err != nil {
		// Nobody hears us any more, so nothing that follows could matter.
		panic(err)
	}
}

func (r *reporter) complain(format string, values ...any) {
	r.printLocked(complaintLine{Event: "complaint", Text: fmt.Sprintf(format, values...)})
}

func (r *reporter) handler() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { r.tell("add", object, r.added) },
		UpdateFunc: func(_, object any) { r.tell("update", object, r.updated) },
		DeleteFunc: func(object any) { r.tell("delete", object, r.deleted) },
	}
}

func (r *reporter) tell(event string, object any, check func(key string, now known)) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	line := changeLine{Event: event}
	if tombstone, missed := object.(cache.DeletedFinalStateUnknown); missed {
		object = tombstone.Obj
		line.FinalStateUnknown = true
	}
	accessor, err := meta.Accessor(object)
	if err != nil {
		r.complain("%s of something without metadata: %v", event, err)
		return
	}
	line.describe(accessor)
	version, err := strconv.ParseUint(line.ResourceVersion, 10, 64)
	if err != nil {
		r.complain("%s of %s with resourceVersion %q", event, line.Key, line.ResourceVersion)
	}
	check(line.Key, known{uid: line.UID, version: version})
	r.printLocked(line)
}

func (line *changeLine) describe(object metav1.Object) {
	line.Namespace = object.GetNamespace()
	line.Name = object.GetName()
	line.UID = string(object.GetUID())
	line.ResourceVersion = object.GetResourceVersion()
	line.Key = cache.NewObjectName(line.Namespace, line.Name).String()
}

func (r *reporter) added(key string, now known) {
	if before, there := r.view[key]; there {
		r.complain("add of %s %s, which is known as %s", key, now.uid, before.uid)
	}
	r.view[key] = now
}

// updated lets another uid pass: an informer that missed the end of an object says only that there is another.
// It lets the same version pass too: after a list an informer tells of every object, changed or not.
func (r *reporter) updated(key string, now known) {
	before, there := r.view[key]
	switch {
	case !there:
		r.complain("update of %s %s, which is unknown", key, now.uid)
	case now.version < before.version:
		r.complain("update of %s from version %d to %d", key, before.version, now.version)
	}
	r.view[key] = now
}

func (r *reporter) deleted(key string, now known) {
	before, there := r.view[key]
	switch {
	case !there:
		r.complain("delete of %s %s, which is unknown", key, now.uid)
	case before.uid != now.uid:
		r.complain("delete of %s %s, which is known as %s", key, now.uid, before.uid)
	case now.version < before.version:
		r.complain("delete of %s at version %d, which is known at %d", key, now.version, before.version)
	}
	delete(r.view, key)
}

// recordRequests prints every request before it is sent.
func (r *reporter) recordRequests(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		query := request.URL.Query()
		initial := query.Get("sendInitialEvents") == "true"
		isPage := query.Get("continue") != ""
		r.print(requestLine{
			Event:             "request",
			Begins:            initial || (query.Get("watch") == "" && !isPage),
			SendInitialEvents: initial,
		})
		return next.RoundTrip(request)
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }
