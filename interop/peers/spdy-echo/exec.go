package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"io"
	"net/url"
	"strconv"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/remotecommand"
)

const conversationTimeout = 60 * time.Second

// report says how much came back, and whether it was what had to come.
type report struct {
	Received int  `json:"received"`
	Equal    bool `json:"equal"`
	// The server received what the client sent, where the server reports it.
	Echoed bool `json:"echoed"`
}

func execute(args []string) error {
	flags := flag.NewFlagSet("exec", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "file that says where the server is and who we are")
	path := flags.String("path", "", "what is connected to")
	size := flags.Int("bytes", 0, "how much goes each way")
	first := flags.Bool("server-first", false, "the server speaks and closes its half, before we say anything")
	if err := flags.Parse(args); err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		return err
	}
	told, err := hold(config, *path, *size, *first)
	if err != nil {
		return err
	}
	return tell(told)
}

func hold(config *rest.Config, path string, size int, serverFirst bool) (report, error) {
	target, err := url.Parse(config.Host + path)
	if err != nil {
		return report{}, err
	}
	said := pattern(size)
	stdout := &awaited{size: size, full: make(chan struct{})}
	var stderr bytes.Buffer
	stdin := io.Reader(bytes.NewReader(said))
	if serverFirst {
		target.RawQuery = url.Values{"first": {strconv.Itoa(size)}}.Encode()
		stdin = &after{reader: stdin, begin: stdout.full}
	}
	executor, err := remotecommand.NewSPDYExecutor(config, "POST", target)
	if err != nil {
		return report{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), conversationTimeout)
	defer cancel()
	options := remotecommand.StreamOptions{Stdin: stdin, Stdout: stdout, Stderr: &stderr}
	if err := executor.StreamWithContext(ctx, options); err != nil {
		return report{}, err
	}
	digest := sha256.Sum256(said)
	return report{
		Received: stdout.buffer.Len(),
		Equal:    bytes.Equal(stdout.buffer.Bytes(), said),
		Echoed:   stderr.String() == hex.EncodeToString(digest[:]),
	}, nil
}

// awaited tells when it has everything. The buffer is a field, because io.Copy would go around Write otherwise.
type awaited struct {
	buffer bytes.Buffer
	size   int
	full   chan struct{}
}

func (a *awaited) Write(chunk []byte) (int, error) {
	written, err := a.buffer.Write(chunk)
	if a.buffer.Len() == a.size {
		close(a.full)
	}
	return written, err
}

// after reads nothing before it may begin.
type after struct {
	reader io.Reader
	begin  <-chan struct{}
}

func (a *after) Read(chunk []byte) (int, error) {
	<-a.begin
	return a.reader.Read(chunk)
}
