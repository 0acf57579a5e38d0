// Command spdy-echo is both ends of a conversation like that of `kubectl exec` over SPDY: "serve" is an API server that
// answers every path with one, and "exec" holds one by the executor of client-go. Both tell on their standard output
// what they saw, one JSON document per line.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) < 2 {
		fail(fmt.Errorf("want serve or exec"))
	}
	var err error
	switch os.Args[1] {
	case "serve":
		err = serve(os.Args[2:])
	case "exec":
		err = execute(os.Args[2:])
	default:
		err = fmt.Errorf("want serve or exec, not %q", os.Args[1])
	}
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "spdy-echo:", err)
	os.Exit(1)
}

func tell(what any) error {
	return json.NewEncoder(os.Stdout).Encode(what)
}
