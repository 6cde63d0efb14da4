package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"mime/multipart"
	"net/http"
	"os"
	"sort"
	"strings"

	"github.com/oapi-codegen/nullable"

	kontor "kontor/client"
)

var ctx = context.Background()

func as(key string) *kontor.ClientWithResponses {
	withKey := kontor.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("X-API-Key", key)
		return nil
	})
	client, err := kontor.NewClientWithResponses(facts.URL, withKey)
	if err != nil {
		panic(err)
	}
	return client
}

// refused checks the code of an error, by its type.
func refused(status int, code kontor.ErrorCode, actual int, envelope *kontor.ErrorEnvelope) error {
	if envelope == nil {
		return fmt.Errorf("%d without an envelope", actual)
	}
	return equal([]any{actual, envelope.Error.Code}, []any{status, code})
}

func pointer[T any](value T) *T { return &value }

// newKey makes a key. A write that is repeated with its key is stored once.
func newKey() *string { return pointer(rand.Text()) }

func newEmployee(email string) kontor.EmployeeCreate {
	return kontor.EmployeeCreate{Email: email, FirstName: "Neu", LastName: "Neumann"}
}

func main() {
	client := as(facts.Key)
	filter := pointer("lastName STARTS_WITH 'sch'")
	inTenant := &kontor.CreateEmployeeParams{XTenantID: &facts.Tenant}

	step("list", func() error {
		params := &kontor.ListEmployeesParams{Filter: filter, CreatedAtFrom: pointer("2026-01-01T00:00:00Z")}
		answer, err := client.ListEmployeesWithResponse(ctx, params)
		if err != nil {
			return err
		}
		names := []string{}
		for _, item := range answer.JSON200.Items {
			names = append(names, item.LastName.MustGet())
		}
		sort.Strings(names)
		return equal([]any{answer.JSON200.TotalElements, names}, []any{3, []string{"Schmidt", "Schulz", "Schäfer"}})
	})
	step("page", func() error {
		params := &kontor.ListEmployeesParams{Filter: filter, Sort: pointer("lastName"), Page: pointer(2), PageSize: pointer(2)}
		answer, err := client.ListEmployeesWithResponse(ctx, params)
		if err != nil {
			return err
		}
		page := answer.JSON200
		return equal([]any{page.Page, page.TotalPages, len(page.Items)}, []any{2, 2, 1})
	})
	step("get", func() error {
		answer, err := client.GetEmployeeWithResponse(ctx, facts.Employee, nil)
		if err != nil {
			return err
		}
		found := answer.JSON200
		return equal([]any{found.Id, found.City.IsNull(), found.Tenant.MustGet()}, []any{facts.Employee, true, facts.Tenant})
	})
	step("create", func() error {
		params := &kontor.CreateEmployeeParams{XTenantID: &facts.Tenant, IdempotencyKey: newKey()}
		answer, err := client.CreateEmployeeWithResponse(ctx, params, newEmployee("neu@example.com"))
		if err != nil {
			return err
		}
		repeated, err := client.CreateEmployeeWithResponse(ctx, params, newEmployee("neu@example.com"))
		if err != nil {
			return err
		}
		created := answer.JSON201
		replayed := repeated.HTTPResponse.Header.Get("Idempotency-Replayed")
		return equal([]any{created.Email, created.Blocked, replayed, repeated.JSON201.Id}, []any{"neu@example.com", false, "true", created.Id})
	})
	step("dry run", func() error {
		params := &kontor.CreateEmployeeParams{XTenantID: &facts.Tenant, DryRun: pointer(true)}
		answer, err := client.CreateEmployeeWithResponse(ctx, params, newEmployee("probe@example.com"))
		if err != nil {
			return err
		}
		return equal(answer.JSON200.Id, strings.Repeat("0", 24))
	})
	step("update", func() error {
		patch := kontor.EmployeePatch{City: nullable.NewNullableWithValue("Köln"), PhoneNumber: nullable.NewNullNullable[string]()}
		answer, err := client.UpdateEmployeeWithResponse(ctx, facts.Employee, nil, patch)
		if err != nil {
			return err
		}
		changed := answer.JSON200
		return equal([]any{changed.City.MustGet(), changed.PhoneNumber.IsNull(), changed.Street.MustGet()}, []any{"Köln", true, "Lange Straße 12"})
	})
	step("decide", func() error {
		decision := kontor.OrderDecision{Decision: kontor.HrDecisionApproved, Comment: nullable.NewNullableWithValue("Budget geprüft")}
		answer, err := client.DecideOrderWithResponse(ctx, facts.Order, &kontor.DecideOrderParams{IdempotencyKey: newKey()}, decision)
		if err != nil {
			return err
		}
		order := answer.JSON200
		actual := []any{string(order.Status), string(order.HrHistory.MustGet().Source), order.Contract.MustGet().ListPrice, order.Products[0].NetAmount}
		return equal(actual, []any{"approved", "api_key", "3599.00", "3024.3697"})
	})
	upload := func(name string) (*kontor.UploadIncidentAttachmentResponse, error) {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		part, err := form.CreateFormFile("file", name)
		if err != nil {
			return nil, err
		}
		part.Write(content)
		form.Close()
		params := &kontor.UploadIncidentAttachmentParams{IdempotencyKey: newKey()}
		return client.UploadIncidentAttachmentWithBodyWithResponse(ctx, facts.Incident, params, form.FormDataContentType(), &body)
	}
	step("upload", func() error {
		answer, err := upload("beleg.pdf")
		if err != nil {
			return err
		}
		return equal([]any{answer.JSON201.FileName, answer.JSON201.MediaType}, []any{"beleg.pdf", "application/pdf"})
	})
	step("download document", func() error {
		answer, err := client.DownloadOrderAttachmentWithResponse(ctx, facts.Order, facts.Document, nil)
		if err != nil {
			return err
		}
		return equalBytes(answer.Body, "expected-document")
	})
	step("download payroll", func() error {
		answer, err := client.DownloadPayrollExportDocumentWithResponse(ctx, facts.PayrollDocument, nil)
		if err != nil {
			return err
		}
		return equalBytes(answer.Body, "expected-payroll")
	})
	get := func(key, id string) *kontor.GetEmployeeResponse {
		answer, err := as(key).GetEmployeeWithResponse(ctx, id, nil)
		if err != nil {
			panic(err)
		}
		return answer
	}
	list := func(params kontor.ListEmployeesParams) *kontor.ListEmployeesResponse {
		answer, err := client.ListEmployeesWithResponse(ctx, &params)
		if err != nil {
			panic(err)
		}
		return answer
	}
	step("400", func() error {
		answer := list(kontor.ListEmployeesParams{Sort: pointer("salary")})
		return refused(400, "UNSUPPORTED_SORT_FIELD", answer.StatusCode(), answer.JSON400)
	})
	step("401", func() error {
		answer := get("wrong", facts.Employee)
		return refused(401, "INVALID_API_KEY", answer.StatusCode(), answer.JSON401)
	})
	step("403", func() error {
		answer := list(kontor.ListEmployeesParams{XTenantID: &facts.ForeignTenant})
		return refused(403, "TENANT_NOT_IN_SCOPE", answer.StatusCode(), answer.JSON403)
	})
	step("404", func() error {
		answer := get(facts.Key, strings.Repeat("f", 24))
		return refused(404, "NOT_FOUND", answer.StatusCode(), answer.JSON404)
	})
	step("406", func() error {
		asking := func(_ context.Context, request *http.Request) error {
			request.Header.Set("Accept", "text/csv")
			return nil
		}
		answer, err := client.ListEmployeesWithResponse(ctx, nil, asking)
		if err != nil {
			return err
		}
		return refused(406, "NOT_ACCEPTABLE", answer.StatusCode(), answer.JSON406)
	})
	step("409", func() error {
		answer, err := client.CreateEmployeeWithResponse(ctx, inTenant, newEmployee("neu@example.com"))
		if err != nil {
			return err
		}
		return refused(409, "DUPLICATE_RESOURCE", answer.StatusCode(), answer.JSON409)
	})
	step("413", func() error {
		answer, err := upload("zu-gross.pdf")
		if err != nil {
			return err
		}
		return refused(413, "PAYLOAD_TOO_LARGE", answer.StatusCode(), answer.JSON413)
	})
	step("415", func() error {
		answer, err := upload("kein.pdf")
		if err != nil {
			return err
		}
		return refused(415, "UNSUPPORTED_MEDIA_TYPE", answer.StatusCode(), answer.JSON415)
	})
	step("422", func() error {
		answer := list(kontor.ListEmployeesParams{CreatedAtFrom: pointer("2026-09-02T00:00:00Z"), CreatedAtTo: pointer("2026-09-01T00:00:00Z")})
		return refused(422, "VALIDATION_ERROR", answer.StatusCode(), answer.JSON422)
	})
	step("429", func() error {
		answer := get(facts.SpentKey, facts.Employee)
		return refused(429, "RATE_LIMIT_EXCEEDED", answer.StatusCode(), answer.JSON429)
	})
	for _, broken := range brokenFiles {
		name := fmt.Sprint(broken.status)
		step(name, func() error {
			answer, err := client.DownloadPayrollExportDocumentWithResponse(ctx, facts.BrokenFiles[name], nil)
			if err != nil {
				return err
			}
			typed := map[int]*kontor.ErrorEnvelope{500: answer.JSON500, 502: answer.JSON502, 503: answer.JSON503, 504: answer.JSON504}
			return refused(broken.status, kontor.ErrorCode(broken.code), answer.StatusCode(), typed[broken.status])
		})
	}
	end()
}
