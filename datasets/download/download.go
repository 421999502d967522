// Package download gets files over HTTP.
package download

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"banditsim/datasets"
	"banditsim/internal/words"
)

// HTTP returns a getter that uses the client. Its errors are without the address.
func HTTP(client *http.Client) datasets.Getter {
	return func(ctx context.Context, address string) (io.ReadCloser, error) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return nil, err
		}
		response, err := client.Do(request)
		if err != nil {
			if e := (*url.Error)(nil); errors.As(err, &e) {
				err = e.Err
			}
			return nil, err
		}
		if response.StatusCode != http.StatusOK {
			response.Body.Close()
			return nil, fmt.Errorf("the server says %s", words.Plain(response.Status))
		}
		return response.Body, nil
	}
}

// Client returns a client that fails early without a network: it has 3 seconds to connect, and uses the proxy of the
// process's environment.
func Client() *http.Client {
	return &http.Client{Transport: &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 3 * time.Second}).DialContext,
		TLSHandshakeTimeout:   5 * time.Second,
		ResponseHeaderTimeout: 10 * time.Second,
		ForceAttemptHTTP2:     true,
	}}
}
