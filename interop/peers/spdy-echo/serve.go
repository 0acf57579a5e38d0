package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/util/httpstream"
	"k8s.io/apimachinery/pkg/util/httpstream/spdy"
	"k8s.io/apimachinery/pkg/util/remotecommand"
)

const streamsTimeout = 10 * time.Second

// serve answers until its standard input ends, so that it never outlives who started it.
func serve(args []string) error {
	flags := flag.NewFlagSet("serve", flag.ExitOnError)
	cert := flags.String("cert", "", "file of the serving certificate")
	key := flags.String("key", "", "file of its key")
	if err := flags.Parse(args); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	if err := tell(map[string]int{"port": listener.Addr().(*net.TCPAddr).Port}); err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	return http.ServeTLS(listener, http.HandlerFunc(converse), *cert, *key)
}

func converse(w http.ResponseWriter, req *http.Request) {
	if _, err := httpstream.Handshake(req, w, []string{remotecommand.StreamProtocolV4Name}); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	opened := make(chan httpstream.Stream)
	accept := func(stream httpstream.Stream, replySent <-chan struct{}) error {
		go func() {
			<-replySent
			opened <- stream
		}()
		return nil
	}
	connection := spdy.NewResponseUpgrader().UpgradeResponse(w, req, accept)
	if connection == nil {
		return
	}
	defer connection.Close()
	streams, err := await(opened, "stdin", "stdout", "stderr", "error")
	if err == nil {
		err = conversation(req, streams)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "spdy-echo:", err)
		return
	}
	// The client is done when it has the ends of all streams; the connection is its to close.
	select {
	case <-connection.CloseChan():
	case <-time.After(streamsTimeout):
	}
}

// conversation is either an echo that begins only after the client has closed its half, or bytes that end before the
// client says anything, and then the digest of what it said.
func conversation(req *http.Request, streams map[string]httpstream.Stream) error {
	defer streams["error"].Close()
	if first := req.URL.Query().Get("first"); first != "" {
		size, err := strconv.Atoi(first)
		if err != nil {
			return err
		}
		return speakFirst(streams, size)
	}
	received, err := io.ReadAll(streams["stdin"])
	if err != nil {
		return err
	}
	if _, err := io.Copy(streams["stdout"], bytes.NewReader(received)); err != nil {
		return err
	}
	if err := streams["stdout"].Close(); err != nil {
		return err
	}
	return streams["stderr"].Close()
}

func speakFirst(streams map[string]httpstream.Stream, size int) error {
	if _, err := streams["stdout"].Write(pattern(size)); err != nil {
		return err
	}
	if err := streams["stdout"].Close(); err != nil {
		return err
	}
	digest := sha256.New()
	if _, err := io.Copy(digest, streams["stdin"]); err != nil {
		return err
	}
	if _, err := io.WriteString(streams["stderr"], hex.EncodeToString(digest.Sum(nil))); err != nil {
		return err
	}
	return streams["stderr"].Close()
}

func await(opened <-chan httpstream.Stream, kinds ...string) (map[string]httpstream.Stream, error) {
	streams := map[string]httpstream.Stream{}
	timeout := time.After(streamsTimeout)
	for len(streams) < len(kinds) {
		select {
		case stream := <-opened:
			streams[stream.Headers().Get("streamType")] = stream
		case <-timeout:
			return nil, fmt.Errorf("%d of %d streams were opened", len(streams), len(kinds))
		}
	}
	for _, kind := range kinds {
		if streams[kind] == nil {
			return nil, fmt.Errorf("no stream for %s was opened", kind)
		}
	}
	return streams, nil
}

// pattern is bytes that both ends can make, and that do not repeat soon.
func pattern(size int) []byte {
	made := make([]byte, size)
	state := uint32(1)
	for i := range made {
		state = state*1664525 + 1013904223
		made[i] = byte(state >> 24)
	}
	return made
}
