// Command informer-checker follows one resource with a shared informer of client-go and tells on its standard
// output what it was told, one JSON document per line. On its standard input it takes the commands "store", to
// print what the informer holds now, and "quit".
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	clientfeatures "k8s.io/client-go/features"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

type options struct {
	kubeconfig   string
	resource     string
	watchList    bool
	metadataOnly bool
}

func main() {
	var given options
	flag.StringVar(&given.kubeconfig, "kubeconfig", "", "file that says where the server is and who we are")
	flag.StringVar(&given.resource, "resource", "", "what to follow, as group/version/resource; the group may be empty")
	flag.BoolVar(&given.watchList, "watch-list", true, "begin with a watch that sends everything instead of a list")
	flag.BoolVar(&given.metadataOnly, "metadata-only", false, "follow only the metadata of the objects")
	klog.InitFlags(nil)
	flag.Parse()
	if err := run(given); err != nil {
		fmt.Fprintln(os.Stderr, "informer-checker:", err)
		os.Exit(1)
	}
}

func run(given options) error {
	resource, err := parseResource(given.resource)
	if err != nil {
		return err
	}
	// Feature gates are read from the environment when the first of them is asked for.
	if err := os.Setenv("KUBE_FEATURE_WatchListClient", fmt.Sprint(given.watchList)); err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", given.kubeconfig)
	if err != nil {
		return err
	}
	out := newReporter(os.Stdout)
	config.Wrap(out.recordRequests)
	// Lines about deprecated versions would drown what the reflector says of its troubles.
	config.WarningHandlerWithContext = rest.NoWarnings{}
	informer, err := newInformer(config, resource, given.metadataOnly)
	if err != nil {
		return err
	}
	registration, err := informer.AddEventHandler(out.handler())
	if err != nil {
		return err
	}
	stop := make(chan struct{})
	defer close(stop)
	out.print(startedLine{
		Event:     "started",
		WatchList: clientfeatures.FeatureGates().Enabled(clientfeatures.WatchListClient),
	})
	go informer.Run(stop)
	go func() {
		if cache.WaitForCacheSync(stop, registration.HasSynced) {
			out.print(plainLine{Event: "synced"})
		}
	}()
	return obey(os.Stdin, out, informer.GetStore())
}

// obey runs the commands until there are no more: who started us has gone then.
func obey(in io.Reader, out *reporter, store cache.Store) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		switch command := strings.TrimSpace(lines.Text()); command {
		case "store":
			line, err := storeOf(store)
			if err != nil {
				return err
			}
			out.print(line)
		case "quit":
			return nil
		default:
			return fmt.Errorf("no command is called %q", command)
		}
	}
	return lines.Err()
}

func newInformer(config *rest.Config, resource schema.GroupVersionResource, metadataOnly bool) (cache.SharedIndexInformer, error) {
	if metadataOnly {
		client, err := metadata.NewForConfig(config)
		if err != nil {
			return nil, err
		}
		return metadatainformer.NewSharedInformerFactory(client, 0).ForResource(resource).Informer(), nil
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	return dynamicinformer.NewDynamicSharedInformerFactory(client, 0).ForResource(resource).Informer(), nil
}

func parseResource(text string) (schema.GroupVersionResource, error) {
	parts := strings.Split(text, "/")
	if len(parts) != 3 || parts[1] == "" || parts[2] == "" {
		return schema.GroupVersionResource{}, fmt.Errorf("--resource must be group/version/resource, not %q", text)
	}
	return schema.GroupVersionResource{Group: parts[0], Version: parts[1], Resource: parts[2]}, nil
}
