package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	apiservercel "k8s.io/apiserver/pkg/cel"
)

// render writes a value so that every type looks different and maps have an order.
func render(value ref.Val) string {
	switch v := value.(type) {
	case types.Null:
		return "null"
	case types.Bool:
		return strconv.FormatBool(bool(v))
	case types.Int:
		return strconv.FormatInt(int64(v), 10)
	case types.Uint:
		return strconv.FormatUint(uint64(v), 10) + "u"
	case types.Double:
		return renderDouble(float64(v))
	case types.String:
		return quote(string(v))
	case types.Bytes:
		return "bytes(" + hex.EncodeToString(v) + ")"
	case types.Timestamp:
		return "timestamp(" + v.Time.UTC().Format(time.RFC3339Nano) + ")"
	case types.Duration:
		return "duration(" + strconv.FormatInt(int64(v.Duration), 10) + "ns)"
	case *types.Optional:
		if !v.HasValue() {
			return "optional.none()"
		}
		return "optional.of(" + render(v.GetValue()) + ")"
	case *types.Type:
		return "type(" + v.TypeName() + ")"
	}
	return renderOther(value)
}

func renderOther(value ref.Val) string {
	switch v := value.Value().(type) {
	case apiservercel.Format:
		return "format(" + v.Name + ")"
	}
	switch v := value.(type) {
	case apiservercel.Quantity:
		return "quantity(" + v.String() + ")"
	case *apiservercel.Quantity:
		// What add and sub give, which == does not take for the same type.
		return "quantity(" + v.String() + ")"
	case apiservercel.Semver:
		return "semver(" + v.String() + ")"
	case apiservercel.URL:
		return "url(" + v.String() + ")"
	case apiservercel.IP:
		return "ip(" + v.String() + ")"
	case apiservercel.CIDR:
		return "cidr(" + v.String() + ")"
	case traits.Lister:
		return renderList(v)
	case traits.Mapper:
		return renderMap(v)
	case traits.Iterable:
		return "object(" + renderFields(v) + ")"
	}
	return fmt.Sprintf("%s", value.Type().TypeName())
}

func renderDouble(value float64) string {
	switch {
	case math.IsNaN(value):
		return "double(NaN)"
	case math.IsInf(value, 1):
		return "double(Infinity)"
	case math.IsInf(value, -1):
		return "double(-Infinity)"
	case value == 0 && math.Signbit(value):
		return "double(-0)"
	}
	// The shortest digits that read back as the same number, without an exponent's differences between languages.
	return "double(" + strconv.FormatFloat(value, 'e', -1, 64) + ")"
}

func renderList(list traits.Lister) string {
	var parts []string
	for at := list.Iterator(); at.HasNext() == types.True; {
		parts = append(parts, render(at.Next()))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func renderMap(m traits.Mapper) string {
	var parts []string
	for at := m.Iterator(); at.HasNext() == types.True; {
		key := at.Next()
		parts = append(parts, render(key)+": "+render(m.Get(key)))
	}
	sort.Strings(parts)
	return "{" + strings.Join(parts, ", ") + "}"
}

func renderFields(object traits.Iterable) string {
	var parts []string
	indexed, _ := object.(traits.Indexer)
	for at := object.Iterator(); at.HasNext() == types.True; {
		key := at.Next()
		if indexed != nil {
			parts = append(parts, render(key)+": "+render(indexed.Get(key)))
		}
	}
	sort.Strings(parts)
	return strings.Join(parts, ", ")
}

func quote(text string) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text)
	return strings.TrimSuffix(out.String(), "\n")
}
