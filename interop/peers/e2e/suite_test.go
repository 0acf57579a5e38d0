// Package e2e_test is the end-to-end suite of Kubernetes as one program. The specs are upstream's. Added are a timeout
// for every spec that takes a context, because without nodes a spec waits for its pods for minutes, and a file that
// names the specs to run.
package e2e_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	conformancetestdata "k8s.io/kubernetes/test/conformance/testdata"
	"k8s.io/kubernetes/test/e2e"
	"k8s.io/kubernetes/test/e2e/framework"
	"k8s.io/kubernetes/test/e2e/framework/config"
	"k8s.io/kubernetes/test/e2e/framework/testfiles"
	e2etestingmanifests "k8s.io/kubernetes/test/e2e/testing-manifests"
	testfixtures "k8s.io/kubernetes/test/fixtures"

	_ "k8s.io/kubernetes/test/e2e/apimachinery"
	_ "k8s.io/kubernetes/test/e2e/apps"
	_ "k8s.io/kubernetes/test/e2e/architecture"
	_ "k8s.io/kubernetes/test/e2e/auth"
	_ "k8s.io/kubernetes/test/e2e/common"
	_ "k8s.io/kubernetes/test/e2e/dra"
	_ "k8s.io/kubernetes/test/e2e/feature"
	_ "k8s.io/kubernetes/test/e2e/framework/debug/init"
	_ "k8s.io/kubernetes/test/e2e/framework/metrics/init"
	_ "k8s.io/kubernetes/test/e2e/framework/node/init"
	_ "k8s.io/kubernetes/test/e2e/instrumentation"
	_ "k8s.io/kubernetes/test/e2e/kubectl"
	_ "k8s.io/kubernetes/test/e2e/network"
	_ "k8s.io/kubernetes/test/e2e/node"
	_ "k8s.io/kubernetes/test/e2e/scheduling"
	_ "k8s.io/kubernetes/test/e2e/storage"
)

// timeouts are those of single specs: "TEXT=DURATION", by a part of the spec's own text.
type timeouts map[string]time.Duration

func (t timeouts) String() string { return fmt.Sprint(map[string]time.Duration(t)) }

func (t timeouts) Set(value string) error {
	text, duration, found := strings.Cut(value, "=")
	if !found {
		return fmt.Errorf("%q: want TEXT=DURATION", value)
	}
	parsed, err := time.ParseDuration(duration)
	if err != nil {
		return err
	}
	t[text] = parsed
	return nil
}

var (
	specTimeout  = flag.Duration("spec-timeout", 2*time.Minute, "Timeout of every spec that takes a context.")
	specTimeouts = timeouts{}
	specFile     = flag.String("specs", "", "File with the full text of every spec to run, one per line.")
)

func TestMain(m *testing.M) {
	flag.Var(specTimeouts, "spec-timeout-of", "TEXT=DURATION: timeout of the specs whose own text contains TEXT.")
	config.CopyFlags(config.Flags, flag.CommandLine)
	framework.RegisterCommonFlags(flag.CommandLine)
	framework.RegisterClusterFlags(flag.CommandLine)
	flag.Parse()
	testfiles.AddFileSource(e2etestingmanifests.GetE2ETestingManifestsFS())
	testfiles.AddFileSource(testfixtures.GetTestFixturesFS())
	testfiles.AddFileSource(conformancetestdata.GetConformanceTestdataFS())
	framework.AfterReadingAllFlags(&framework.TestContext)
	if *specFile != "" {
		if err := focusOn(*specFile); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
	// Containers are declared before this runs, specs inside them after it: every spec passes here.
	ginkgo.AddTreeConstructionNodeArgsTransformer(limitSpec)
	os.Exit(m.Run())
}

func TestE2E(t *testing.T) {
	e2e.RunE2ETests(t)
}

func focusOn(file string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var escaped []string
	for _, line := range strings.Split(string(content), "\n") {
		if line != "" {
			escaped = append(escaped, regexp.QuoteMeta(line))
		}
	}
	if len(escaped) == 0 {
		return fmt.Errorf("%s names no spec", file)
	}
	return flag.Set("ginkgo.focus", "(?:"+strings.Join(escaped, "|")+")$")
}

// limitSpec runs before the framework has put together the text of a spec, which is still among the arguments.
func limitSpec(node types.NodeType, _ ginkgo.Offset, text string, args []any) (string, []any, []error) {
	spec := describe(args)
	if node != types.NodeTypeIt || !spec.takesContext || spec.hasTimeout {
		return text, args, nil
	}
	limit := *specTimeout
	for part, own := range specTimeouts {
		if strings.Contains(text+spec.text, part) {
			limit = max(limit, own)
		}
	}
	return text, append(args, ginkgo.SpecTimeout(limit)), nil
}

type spec struct {
	text                     string
	takesContext, hasTimeout bool
}

var contextType = reflect.TypeFor[context.Context]()

// describe reads the arguments of a node, which may be nested.
func describe(args []any) spec {
	var found spec
	for _, arg := range args {
		switch arg := arg.(type) {
		case string:
			found.text += arg
		case ginkgo.SpecTimeout, ginkgo.NodeTimeout:
			found.hasTimeout = true
		case []any:
			inner := describe(arg)
			found.text += inner.text
			found.takesContext = found.takesContext || inner.takesContext
			found.hasTimeout = found.hasTimeout || inner.hasTimeout
		default:
			kind := reflect.TypeOf(arg)
			if kind != nil && kind.Kind() == reflect.Func && kind.NumIn() == 1 && kind.In(0).Implements(contextType) {
				found.takesContext = true
			}
		}
	}
	return found
}
