package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
)

// serveUpstream is the plain upstream of the proxied requests. It responds with the digest and the size of a body, or with a fixed text.
func serveUpstream(address string, text []byte) {
	mux := http.NewServeMux()
	mux.HandleFunc("/digest", func(response http.ResponseWriter, request *http.Request) {
		sum := sha256.New()
		size, _ := io.Copy(sum, request.Body)
		_, _ = fmt.Fprintf(response, "%x %d", sum.Sum(nil), size)
	})
	mux.HandleFunc("/proxied", func(response http.ResponseWriter, _ *http.Request) {
		_, _ = response.Write(text)
	})
	panic(http.ListenAndServe(address, mux))
}
