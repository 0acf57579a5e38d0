// Command client-exerciser does with the clients of client-go what programs do with them, kind after kind, and tells
// on its standard output what it saw, one JSON document per step. What differs from run to run is left out, so that
// the lines of two servers can be compared.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

type options struct {
	kubeconfig string
	part       string
	namespace  string
}

// patience is how long the whole exercise may take: it is a second or two on an idle machine.
const patience = 2 * time.Minute

func main() {
	var given options
	flag.StringVar(&given.kubeconfig, "kubeconfig", "", "file that says where the server is and who we are")
	flag.StringVar(&given.part, "part", "typed", "typed: built-in kinds with the typed client; dynamic: flunders with the dynamic one")
	flag.StringVar(&given.namespace, "namespace", "exercise", "namespace to work in, which exists and has nothing of ours")
	flag.Parse()
	if err := run(given); err != nil {
		fmt.Fprintln(os.Stderr, "client-exerciser:", err)
		os.Exit(1)
	}
}

func run(given options) error {
	config, err := clientcmd.BuildConfigFromFlags("", given.kubeconfig)
	if err != nil {
		return err
	}
	out := newReporter(os.Stdout)
	config.ContentType = "application/json"
	config.AcceptContentTypes = "application/json"
	config.UserAgent = "client-exerciser"
	config.QPS = -1 // No limit: nobody else is there.
	config.WarningHandlerWithContext = rest.NoWarnings{}
	config.Wrap(out.recordAnswers)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	switch given.part {
	case "typed":
		client, err := kubernetes.NewForConfig(config)
		if err != nil {
			return err
		}
		return exerciseTyped(ctx, out, client, given.namespace)
	case "dynamic":
		client, err := dynamic.NewForConfig(config)
		if err != nil {
			return err
		}
		return exerciseFlunders(ctx, out, client, given.namespace)
	default:
		return fmt.Errorf("no part is called %q", given.part)
	}
}
