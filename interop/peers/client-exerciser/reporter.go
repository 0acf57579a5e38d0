package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// line is one step and what came of it.
type line struct {
	Step string `json:"step"`
	// Code and Warnings are those of the last answer of the step.
	Code     int      `json:"code"`
	Warnings []string `json:"warnings,omitempty"`
	// Of a refusal.
	Reason  metav1.StatusReason  `json:"reason,omitempty"`
	Message string               `json:"message,omitempty"`
	Causes  []metav1.StatusCause `json:"causes,omitempty"`
	// Seen is what the step itself has to tell.
	Seen any `json:"seen,omitempty"`
}

type reporter struct {
	encoder *json.Encoder
	// hidden stand in messages and differ from run to run.
	hidden []*regexp.Regexp

	mutex    sync.Mutex
	code     int
	warnings []string
}

func newReporter(out io.Writer) *reporter {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return &reporter{encoder: encoder}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (call roundTripper) RoundTrip(request *http.Request) (*http.Response, error) {
	return call(request)
}

func (r *reporter) recordAnswers(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		response, err := next.RoundTrip(request)
		if response != nil {
			r.mutex.Lock()
			defer r.mutex.Unlock()
			r.code = response.StatusCode
			r.warnings = response.Header.Values("Warning")
		}
		return response, err
	})
}

// tell prints a step. An error that is no answer of the server ends the exercise.
func (r *reporter) tell(step string, seen any, err error) error {
	r.mutex.Lock()
	told := line{Step: step, Code: r.code, Warnings: r.warnings}
	r.code, r.warnings = 0, nil
	r.mutex.Unlock()
	var refusal apierrors.APIStatus
	switch {
	case err == nil:
		told.Seen = seen
	case errors.As(err, &refusal):
		status := refusal.Status()
		told.Reason = status.Reason
		told.Message = r.withoutHidden(status.Message)
		if status.Details != nil {
			told.Causes = status.Details.Causes
		}
	default:
		return err
	}
	return r.encoder.Encode(told)
}

// hide keeps these values, and no others, out of the messages from now on.
func (r *reporter) hide(values ...string) {
	r.hidden = nil
	for _, value := range values {
		r.hidden = append(r.hidden, regexp.MustCompile(`\b`+regexp.QuoteMeta(value)+`\b`))
	}
}

func (r *reporter) withoutHidden(text string) string {
	for _, value := range r.hidden {
		text = value.ReplaceAllString(text, "HIDDEN")
	}
	return text
}

// describe is an object without what the server makes up.
func (r *reporter) describe(object runtime.Object) (map[string]any, error) {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, err
	}
	described := unstructured.Unstructured{Object: runtime.DeepCopyJSON(fields)}
	metadata, found, err := unstructured.NestedMap(described.Object, "metadata")
	if err != nil || !found {
		return described.Object, err
	}
	for _, field := range []string{"uid", "resourceVersion", "creationTimestamp", "deletionTimestamp"} {
		// Whether it is there is worth comparing, its value is not.
		if value, there := metadata[field]; there && value != nil {
			metadata[field] = "some"
		}
	}
	metadata["managedFields"] = managersOf(described.GetManagedFields())
	described.Object["metadata"] = metadata
	return described.Object, nil
}

// managersOf has who owns which fields, in an order of its own.
func managersOf(entries []metav1.ManagedFieldsEntry) []any {
	managers := []any{}
	for _, entry := range entries {
		fields := ""
		if entry.FieldsV1 != nil {
			fields = string(entry.FieldsV1.Raw)
		}
		parts := []string{entry.Manager, string(entry.Operation), entry.APIVersion, entry.Subresource, fields}
		managers = append(managers, strings.Join(parts, " "))
	}
	slices.SortFunc(managers, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
	return managers
}
