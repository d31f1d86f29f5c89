// Package client talks to larderd.
package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

var (
	ErrNotFound = errors.New("client: key not found")
	ErrConflict = errors.New("client: somebody else changed the key")
)

type Client struct {
	Base    string
	HTTP    *http.Client
	Retries int
}

func New(base string) *Client {
	return &Client{Base: base, HTTP: &http.Client{Timeout: 10 * time.Second}, Retries: 3}
}

func (c *Client) Get(ctx context.Context, key string) ([]byte, error) {
	return c.do(ctx, http.MethodGet, key, "", nil)
}

func (c *Client) Put(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	query := ""
	if ttl > 0 {
		query = "?ttl=" + ttl.String()
	}
	_, err := c.do(ctx, http.MethodPut, key, query, value)
	return err
}

// do retries what is safe to retry: everything here is idempotent.
func (c *Client) do(ctx context.Context, method, key, query string, body []byte) ([]byte, error) {
	target := c.Base + "/v1/keys/" + url.PathEscape(key) + query
	var last error
	for attempt := 0; attempt <= c.Retries; attempt++ {
		if attempt > 0 {
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(time.Duration(attempt*attempt) * 50 * time.Millisecond):
			}
		}
		req, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		resp, err := c.HTTP.Do(req)
		if err != nil {
			last = err
			continue
		}
		data, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		switch {
		case err != nil:
			last = err
		case resp.StatusCode == http.StatusNotFound:
			return nil, ErrNotFound
		case resp.StatusCode == http.StatusPreconditionFailed:
			return nil, ErrConflict
		case resp.StatusCode >= 500:
			last = fmt.Errorf("client: server error: %s", bytes.TrimSpace(data))
		case resp.StatusCode >= 400:
			return nil, fmt.Errorf("client: %s: %s", resp.Status, bytes.TrimSpace(data))
		default:
			return data, nil
		}
	}
	return nil, fmt.Errorf("client: gave up after %d attempts: %w", c.Retries+1, last)
}
