// Command type-reflector prints, as JSON, what the OpenAPI documents of Kubernetes do not tell of its built-in kinds:
// the Go type of every field, and when it is left out of an object that is written.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strconv"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

type report struct {
	Kinds []kindReport          `json:"kinds"`
	Types map[string]typeReport `json:"types"`
}

type kindReport struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
	// Type is the name of a struct among the types.
	Type string `json:"type"`
}

// typeReport is of a struct, of another named type, or of one that reads and writes its JSON itself.
type typeReport struct {
	Fields     []fieldReport `json:"fields,omitempty"`
	Underlying string        `json:"underlying,omitempty"`
	Special    string        `json:"special,omitempty"`
}

type fieldReport struct {
	// Name is that of the JSON field, and of the Go field when Inline.
	Name      string `json:"name"`
	Type      string `json:"type"`
	OmitEmpty bool   `json:"omitEmpty,omitempty"`
	OmitZero  bool   `json:"omitZero,omitempty"`
	Inline    bool   `json:"inline,omitempty"`
	// Number is that of the field in protocol buffers; what is not written there has none.
	Number int `json:"number,omitempty"`
}

var specials = map[reflect.Type]string{
	reflect.TypeFor[metav1.Time]():          "time",
	reflect.TypeFor[metav1.MicroTime]():     "microTime",
	reflect.TypeFor[metav1.Duration]():      "duration",
	reflect.TypeFor[metav1.FieldsV1]():      "raw",
	reflect.TypeFor[runtime.RawExtension](): "raw",
	reflect.TypeFor[intstr.IntOrString]():   "intOrString",
	reflect.TypeFor[resource.Quantity]():    "quantity",
	reflect.TypeFor[apiextensionsv1.JSON](): "json",

	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrArray]():       "either " + schemaProps + " []" + schemaProps,
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrBool]():        "either " + schemaProps + " bool",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrStringArray](): "either " + schemaProps + " []string",
}

const schemaProps = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaProps"

func main() {
	found, err := reflectAll()
	if err == nil {
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetIndent("", " ")
		err = encoder.Encode(found)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "type-reflector:", err)
		os.Exit(1)
	}
}

func reflectAll() (*report, error) {
	scheme := runtime.NewScheme()
	groups := []struct {
		add func(*runtime.Scheme) error
		of  schema.GroupVersion
	}{
		{admissionregistrationv1.AddToScheme, admissionregistrationv1.SchemeGroupVersion},
		{apiextensionsv1.AddToScheme, apiextensionsv1.SchemeGroupVersion},
		{apiregistrationv1.AddToScheme, apiregistrationv1.SchemeGroupVersion},
		{appsv1.AddToScheme, appsv1.SchemeGroupVersion},
		{authenticationv1.AddToScheme, authenticationv1.SchemeGroupVersion},
		{authorizationv1.AddToScheme, authorizationv1.SchemeGroupVersion},
		{autoscalingv1.AddToScheme, autoscalingv1.SchemeGroupVersion},
		{autoscalingv2.AddToScheme, autoscalingv2.SchemeGroupVersion},
		{batchv1.AddToScheme, batchv1.SchemeGroupVersion},
		{certificatesv1.AddToScheme, certificatesv1.SchemeGroupVersion},
		{coordinationv1.AddToScheme, coordinationv1.SchemeGroupVersion},
		{corev1.AddToScheme, corev1.SchemeGroupVersion},
		{discoveryv1.AddToScheme, discoveryv1.SchemeGroupVersion},
		{eventsv1.AddToScheme, eventsv1.SchemeGroupVersion},
		{flowcontrolv1.AddToScheme, flowcontrolv1.SchemeGroupVersion},
		{networkingv1.AddToScheme, networkingv1.SchemeGroupVersion},
		{nodev1.AddToScheme, nodev1.SchemeGroupVersion},
		{policyv1.AddToScheme, policyv1.SchemeGroupVersion},
		{rbacv1.AddToScheme, rbacv1.SchemeGroupVersion},
		{schedulingv1.AddToScheme, schedulingv1.SchemeGroupVersion},
		{storagev1.AddToScheme, storagev1.SchemeGroupVersion},
	}
	found := &report{Types: map[string]typeReport{}}
	for _, group := range groups {
		if err := group.add(scheme); err != nil {
			return nil, err
		}
		known := scheme.KnownTypes(group.of)
		names := make([]string, 0, len(known))
		for name := range known {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			kind := known[name]
			// Options and watch events are registered with every group; others are those of the group itself.
			if strings.HasSuffix(kind.PkgPath(), "/meta/v1") || strings.HasSuffix(name, "Options") {
				continue
			}
			of, err := found.nameOf(kind)
			if err != nil {
				return nil, err
			}
			found.Kinds = append(found.Kinds, kindReport{group.of.Group, group.of.Version, name, of})
		}
	}
	return found, nil
}

// nameOf is the type as Go writes it, with whole package paths; what it names is added to the report.
func (r *report) nameOf(t reflect.Type) (string, error) {
	if t.Name() != "" {
		if t.PkgPath() == "" {
			return t.Name(), nil
		}
		name := t.PkgPath() + "." + t.Name()
		return name, r.add(name, t)
	}
	return r.composite(t)
}

func (r *report) composite(t reflect.Type) (string, error) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		prefix := map[reflect.Kind]string{reflect.Pointer: "*", reflect.Slice: "[]"}[t.Kind()]
		element, err := r.nameOf(t.Elem())
		return prefix + element, err
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			return "", fmt.Errorf("%v: keys are not strings", t)
		}
		key, err := r.nameOf(t.Key())
		if err != nil {
			return "", err
		}
		element, err := r.nameOf(t.Elem())
		return "map[" + key + "]" + element, err
	default:
		return "", fmt.Errorf("%v: no kind of type that is known", t)
	}
}

func (r *report) add(name string, t reflect.Type) error {
	if _, known := r.Types[name]; known {
		return nil
	}
	if special, ok := specials[t]; ok {
		r.Types[name] = typeReport{Special: special}
		return nil
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return fmt.Errorf("%v: reads its JSON itself, and is not known", t)
	}
	switch t.Kind() {
	case reflect.Struct:
		return r.addStruct(name, t)
	case reflect.Slice, reflect.Map:
		underlying, err := r.composite(t)
		r.Types[name] = typeReport{Underlying: underlying}
		return err
	default:
		r.Types[name] = typeReport{Underlying: t.Kind().String()}
		return nil
	}
}

func (r *report) addStruct(name string, t reflect.Type) error {
	// A struct may hold itself.
	r.Types[name] = typeReport{}
	fields := []fieldReport{}
	for i := range t.NumField() {
		field := t.Field(i)
		tag := strings.Split(field.Tag.Get("json"), ",")
		if tag[0] == "-" || !field.IsExported() {
			continue
		}
		if tag[0] == "" && !field.Anonymous {
			return fmt.Errorf("%s.%s: no name in JSON", name, field.Name)
		}
		of, err := r.nameOf(field.Type)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", name, field.Name, err)
		}
		described := fieldReport{Name: tag[0], Type: of}
		if tag[0] == "" {
			described.Name = field.Name
			described.Inline = true
		}
		for _, option := range tag[1:] {
			switch option {
			case "omitempty":
				described.OmitEmpty = true
			case "omitzero":
				described.OmitZero = true
			case "string":
				return fmt.Errorf("%s.%s: a number in a string", name, field.Name)
			}
		}
		described.Number, err = protobufNumber(field.Tag.Get("protobuf"))
		if err != nil {
			return fmt.Errorf("%s.%s: %w", name, field.Name, err)
		}
		fields = append(fields, described)
	}
	r.Types[name] = typeReport{Fields: fields}
	return nil
}

// protobufNumber reads the number from a tag such as "bytes,2,opt,name=spec".
func protobufNumber(tag string) (int, error) {
	parts := strings.Split(tag, ",")
	if len(parts) < 2 {
		return 0, nil
	}
	return strconv.Atoi(parts[1])
}
