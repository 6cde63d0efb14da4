package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sort"
	"strings"

	kontor "kontor/client"
)

var ctx = context.Background()

// accepting sends another Accept than the client does by itself.
type accepting string

func (mediaType accepting) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Accept", string(mediaType))
	return http.DefaultTransport.RoundTrip(request)
}

func as(key string) *kontor.APIClient {
	configuration := kontor.NewConfiguration()
	configuration.Servers = kontor.ServerConfigurations{{URL: facts.URL}}
	configuration.DefaultHeader["X-API-Key"] = key
	return kontor.NewAPIClient(configuration)
}

// refused checks the code of an error, by its type.
func refused(status int, code kontor.ErrorCode, response *http.Response, err error) error {
	var failure *kontor.GenericOpenAPIError
	if !errors.As(err, &failure) {
		return fmt.Errorf("no %d: %v", status, err)
	}
	body, ok := failure.Model().(kontor.ErrorEnvelope)
	if !ok {
		return fmt.Errorf("the error is %T", failure.Model())
	}
	return equal([]any{response.StatusCode, body.Error.Code}, []any{status, code})
}

func newEmployee(email string) kontor.EmployeeCreate {
	return *kontor.NewEmployeeCreate(email, "Neu", "Neumann")
}

func main() {
	client := as(facts.Key)
	filter := "lastName STARTS_WITH 'sch'"

	step("list", func() error {
		page, _, err := client.EmployeesAPI.ListEmployees(ctx).Filter(filter).CreatedAtFrom("2026-01-01T00:00:00Z").Execute()
		if err != nil {
			return err
		}
		names := []string{}
		for _, item := range page.Items {
			names = append(names, item.GetLastName())
		}
		sort.Strings(names)
		return equal([]any{page.TotalElements, names}, []any{int32(3), []string{"Schmidt", "Schulz", "Schäfer"}})
	})
	step("page", func() error {
		page, _, err := client.EmployeesAPI.ListEmployees(ctx).Filter(filter).Sort("lastName").Page(2).PageSize(2).Execute()
		if err != nil {
			return err
		}
		return equal([]any{page.Page, page.TotalPages, len(page.Items)}, []any{int32(2), int32(2), 1})
	})
	step("get", func() error {
		found, _, err := client.EmployeesAPI.GetEmployee(ctx, facts.Employee).Execute()
		if err != nil {
			return err
		}
		return equal([]any{found.Id, found.City.Get(), found.GetTenant()}, []any{facts.Employee, (*string)(nil), facts.Tenant})
	})
	step("create", func() error {
		created, response, err := client.EmployeesAPI.CreateEmployee(ctx).EmployeeCreate(newEmployee("neu@example.com")).XTenantID(facts.Tenant).Execute()
		if err != nil {
			return err
		}
		return equal([]any{response.StatusCode, created.Email, created.Blocked}, []any{201, "neu@example.com", false})
	})
	step("dry run", func() error {
		probe, response, err := client.EmployeesAPI.CreateEmployee(ctx).EmployeeCreate(newEmployee("probe@example.com")).DryRun(true).XTenantID(facts.Tenant).Execute()
		if err != nil {
			return err
		}
		return equal([]any{response.StatusCode, probe.Id}, []any{200, strings.Repeat("0", 24)})
	})
	step("update", func() error {
		patch := kontor.NewEmployeePatch()
		patch.SetCity("Köln")
		patch.SetPhoneNumberNil()
		changed, _, err := client.EmployeesAPI.UpdateEmployee(ctx, facts.Employee).EmployeePatch(*patch).Execute()
		if err != nil {
			return err
		}
		return equal([]any{changed.GetCity(), changed.PhoneNumber.Get(), changed.GetStreet()}, []any{"Köln", (*string)(nil), "Lange Straße 12"})
	})
	step("decide", func() error {
		decision := kontor.NewOrderDecision(kontor.HrDecision("approved"))
		decision.SetComment("Budget geprüft")
		order, _, err := client.OrdersAPI.DecideOrder(ctx, facts.Order).OrderDecision(*decision).Execute()
		if err != nil {
			return err
		}
		actual := []any{string(order.Status), string(order.HrHistory.Get().Source), order.Contract.Get().ListPrice, order.Products[0].NetAmount}
		return equal(actual, []any{"approved", "api_key", "3599.00", "3024.3697"})
	})
	upload := func(name string) (*kontor.IncidentAttachment, *http.Response, error) {
		file, err := os.Open(name)
		if err != nil {
			return nil, nil, err
		}
		return client.IncidentsAPI.UploadIncidentAttachment(ctx, facts.Incident).File(file).Execute()
	}
	step("upload", func() error {
		stored, response, err := upload("beleg.pdf")
		if err != nil {
			return err
		}
		return equal([]any{response.StatusCode, stored.FileName, stored.MediaType}, []any{201, "beleg.pdf", "application/pdf"})
	})
	step("download document", func() error {
		file, _, err := client.OrdersAPI.DownloadOrderAttachment(ctx, facts.Order, facts.Document).Execute()
		if err != nil {
			return err
		}
		return equalFile(file.Name(), "expected-document")
	})
	step("download payroll", func() error {
		file, _, err := client.PayrollExportDocumentsAPI.DownloadPayrollExportDocument(ctx, facts.PayrollDocument).Execute()
		if err != nil {
			return err
		}
		return equalFile(file.Name(), "expected-payroll")
	})
	step("400", func() error {
		_, response, err := client.EmployeesAPI.ListEmployees(ctx).Sort("salary").Execute()
		return refused(400, "UNSUPPORTED_SORT_FIELD", response, err)
	})
	step("401", func() error {
		_, response, err := as("wrong").EmployeesAPI.GetEmployee(ctx, facts.Employee).Execute()
		return refused(401, "INVALID_API_KEY", response, err)
	})
	step("403", func() error {
		_, response, err := client.EmployeesAPI.ListEmployees(ctx).XTenantID(facts.ForeignTenant).Execute()
		return refused(403, "TENANT_NOT_IN_SCOPE", response, err)
	})
	step("404", func() error {
		_, response, err := client.EmployeesAPI.GetEmployee(ctx, strings.Repeat("f", 24)).Execute()
		return refused(404, "NOT_FOUND", response, err)
	})
	step("406", func() error {
		asking := as(facts.Key)
		asking.GetConfig().HTTPClient = &http.Client{Transport: accepting("text/csv")}
		_, response, err := asking.EmployeesAPI.ListEmployees(ctx).Execute()
		return refused(406, "NOT_ACCEPTABLE", response, err)
	})
	step("409", func() error {
		_, response, err := client.EmployeesAPI.CreateEmployee(ctx).EmployeeCreate(newEmployee("neu@example.com")).XTenantID(facts.Tenant).Execute()
		return refused(409, "DUPLICATE_RESOURCE", response, err)
	})
	step("413", func() error {
		_, response, err := upload("zu-gross.pdf")
		return refused(413, "PAYLOAD_TOO_LARGE", response, err)
	})
	step("415", func() error {
		_, response, err := upload("kein.pdf")
		return refused(415, "UNSUPPORTED_MEDIA_TYPE", response, err)
	})
	step("422", func() error {
		_, response, err := client.EmployeesAPI.ListEmployees(ctx).CreatedAtFrom("2026-09-02T00:00:00Z").CreatedAtTo("2026-09-01T00:00:00Z").Execute()
		return refused(422, "VALIDATION_ERROR", response, err)
	})
	step("429", func() error {
		_, response, err := as(facts.SpentKey).EmployeesAPI.GetEmployee(ctx, facts.Employee).Execute()
		return refused(429, "RATE_LIMIT_EXCEEDED", response, err)
	})
	for _, broken := range brokenFiles {
		name := fmt.Sprint(broken.status)
		step(name, func() error {
			_, response, err := client.PayrollExportDocumentsAPI.DownloadPayrollExportDocument(ctx, facts.BrokenFiles[name]).Execute()
			return refused(broken.status, kontor.ErrorCode(broken.code), response, err)
		})
	}
	end()
}
